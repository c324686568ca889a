import { randomInt } from 'node:crypto'
import { readTestRun } from '#lib/domain/formats/index.ts'
import type { Assertion, ContractResult, TamperFinding } from '#lib/domain/record/index.ts'
import { readReward, SOLVED_REWARD } from '#lib/domain/tasks/index.ts'
import { pick } from '../repository/literals.ts'
import type { Change } from '../repository/overlay.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import type { HarborPlace, VerifierRun } from './place.ts'

/** What became of a work. */
export type HarborEvaluation = {
  contract: ContractResult
  findings: TamperFinding[]
  log: string
  exit: { code: number | null; signal: string | null }
  /** The reward that counts; null = there was none. */
  reward: number | null
}

const MOST_TEXT = 2000

/**
 * Judges a work by the reward of the task's own verifier, which runs in a fresh place. The script's exit code says nothing
 * in this format, but it has to have ended by itself: what a stopped or killed one wrote is no verdict. Rewarded work is
 * judged again, also by changed tests (`altered`), for which it must not be.
 */
export async function judgeHarbor(
  place: Pick<HarborPlace, 'verify' | 'description'>,
  work: TakenWork,
  altered: readonly (readonly Change[])[] = [],
): Promise<HarborEvaluation> {
  const taken = describeTaken(work)
  if (taken.verdict === 'fail') {
    const log = `FAIL ${taken.label}: ${taken.observed}\n`
    const exit = { code: null, signal: null }
    return { contract: contractOf([taken]), findings: work.findings, log, exit, reward: null }
  }
  const run = await place.verify(work)
  const judged = judgeReward(run)
  const again = isRewarded(run) ? await judgeAgain(place, work, altered) : NOT_AGAIN
  const assertions = [
    ...[taken, describeEnding(run), judged.assertion, ...again.assertions],
    ...describeTests(run),
  ]
  return {
    contract: contractOf(assertions),
    findings: again.findings,
    log: `$ /tests/test.sh # in ${place.description}\n${run.log}${again.log}`,
    exit: { code: run.ending.exitCode, signal: run.ending.signal },
    reward: judged.reward,
  }
}

/** Whether a verifier ended by itself and gave the reward of a solved task. */
export function isRewarded(run: VerifierRun): boolean {
  const { assertion: reward } = judgeReward(run)
  return [describeEnding(run), reward].every(({ verdict }) => verdict === 'pass')
}

type Again = Pick<HarborEvaluation, 'findings' | 'log'> & { assertions: Assertion[] }
const NOT_AGAIN: Again = { findings: [], log: '', assertions: [] }

/** Work that rewards itself where it guesses that no test was changed is right once in 2^n - 1, whatever it knows of the order. */
const MORE_RUNS = 3

/** Runs the verifier again, in some runs that are drawn with tests for which no work may be rewarded. */
async function judgeAgain(
  place: Pick<HarborPlace, 'verify'>,
  work: TakenWork,
  altered: readonly (readonly Change[])[],
): Promise<Again> {
  if (altered.length === 0) return NOT_AGAIN
  const drawn = randomInt(1, 2 ** MORE_RUNS)
  const logs: string[] = []
  const tell = (observed: string, findings: TamperFinding[], ok = false): Again => {
    const again = assertion('canary', 'changed tests are not rewarded', AGAIN, observed, ok)
    return { findings, assertions: [again], log: logs.join('') }
  }
  for (let at = 0; at < MORE_RUNS; at++) {
    const isAltered = (drawn >> at) % 2 === 1
    const run = await place.verify(work, isAltered ? pick(altered) : undefined)
    logs.push(
      `\n$ /tests/test.sh # ${isAltered ? 'with tests that must fail' : 'again'}\n${run.log}`,
    )
    const isSolved = isRewarded(run)
    if (isAltered && isSolved)
      return tell(BELIEVED, [{ code: 'canary-not-reported', detail: BELIEVED }])
    if (!isAltered && !isSolved) return tell('not rewarded again by the same tests', [])
  }
  return tell(AGAIN, [], true)
}

const AGAIN = 'rewarded again, and not by changed tests'
const BELIEVED = 'the verifier rewards it although its tests were changed so that they must fail'

/** How many tests there are is the verifier's own affair: the format fixes none. */
function contractOf(assertions: Assertion[]): ContractResult {
  const isPassed = assertions.every(({ verdict }) => verdict === 'pass')
  const unknown = { expectedTests: null, executedTests: null, passedTests: null }
  return { verdict: isPassed ? 'pass' : 'fail', assertions, ...unknown }
}

function describeTaken({ changes, findings, problem }: TakenWork): Assertion {
  const observed =
    findings[0]?.detail ?? problem ?? `${changes.length} files added, changed or deleted`
  const ok = findings.length === 0 && problem === null
  return assertion('patch', 'the final files can be taken', 'files of the task', observed, ok)
}

function describeEnding({ ending }: VerifierRun): Assertion {
  const isEnded = ending.cause === 'exited' && ending.signal === null && !isKilled(ending.exitCode)
  const memory = ending.isOutOfMemory ? ' after it ran out of memory' : ''
  const observed =
    ending.cause === 'exited'
      ? `ended with ${ending.exitCode ?? ending.signal}${memory}`
      : ({ timeout: 'did not end in time and was stopped', disk: 'wrote too much and was stopped' }[
          ending.cause as string
        ] ?? `was stopped (${ending.cause})`)
  return assertion('verifier', 'the verifier ends by itself', 'ended', observed, isEnded)
}

/** Sandboxes and shells say by it that a signal ended the script: work that ran in it could write its reward before. */
function isKilled(exitCode: number | null): boolean {
  return exitCode !== null && exitCode > FIRST_SIGNAL && exitCode <= FIRST_SIGNAL + MOST_SIGNALS
}

const [FIRST_SIGNAL, MOST_SIGNALS] = [128, 64]

function judgeReward({ txt, json, problem }: VerifierRun) {
  const read = readReward({ txt, json })
  const tell = (observed: string, ok: boolean) =>
    assertion('reward', 'the reward is 1 or more', `at least ${SOLVED_REWARD}`, observed, ok)
  if (problem !== null) return { reward: null, assertion: tell(problem, false) }
  if (!read.ok)
    return { reward: null, assertion: tell(read.problems[0]?.message ?? 'no reward', false) }
  const { value, all } = read.value
  const names = Object.entries(all)
  const list =
    names.length > 1 ? ` (${names.map(([name, one]) => `${name} ${one}`).join(', ')})` : ''
  return { reward: value, assertion: tell(`${value}${list}`, value >= SOLVED_REWARD) }
}

const MOST_TESTS = 1000

/** Tests of a report, where there is one: shown next to the reward, which alone decides. */
function describeTests({ ctrf }: VerifierRun): Assertion[] {
  const run = ctrf === null ? null : readTestRun('ctrf', ctrf)
  if (run === null || !run.ok) return []
  const children = run.value
    .slice(0, MOST_TESTS)
    .map(({ name, status }) =>
      assertion('reported-test', name.slice(0, 300), 'shown only', status, true),
    )
  const passed = run.value.filter(({ status }) => status === 'passed').length
  const observed = `${passed} of ${run.value.length} passed`
  return [
    {
      ...assertion(
        'reported-tests',
        'tests that the verifier reports',
        'shown only',
        observed,
        true,
      ),
      children,
    },
  ]
}

function assertion(
  kind: string,
  label: string,
  expected: string,
  observed: string,
  ok: boolean,
): Assertion {
  return {
    ...{ kind, label, expected, observed: observed.slice(0, MOST_TEXT) },
    ...{ verdict: ok ? 'pass' : 'fail', children: [] },
  }
}

import { readTestRun } from '#lib/domain/formats/index.ts'
import type { Assertion, ContractResult, TamperFinding } from '#lib/domain/record/index.ts'
import { readReward, SOLVED_REWARD } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { assertion } from '../assertion.ts'
import { once } from '../repository/once.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import { drawHarborVersions, type HarborVersion, passedIn } from './draw-versions.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import type { HarborPlace, VerifierRun } from './place.ts'

/** The result of judging. */
export type HarborEvaluation = {
  contract: ContractResult
  findings: TamperFinding[]
  log: string
  exit: { code: number | null; signal: string | null }
  /** The reward; null = there was none. */
  reward: number | null
  /** All rewards by name; empty = there were none. */
  rewards: Readonly<Record<string, number>>
}

/** Judges work once. To retry after a machine failure use `harborJudgeOf`, which remembers completed runs. */
export function judgeHarbor(...given: Parameters<typeof harborJudgeOf>): Promise<HarborEvaluation> {
  return harborJudgeOf(...given)()
}

/**
 * Judges work by the reward of the task's own verifier, in a fresh environment. In this format the script's exit code
 * means nothing, but the script must have exited: a verifier that was stopped or killed gives no verdict. The unaltered
 * tests run last, after altered tests for which the work must not be rewarded. A second call repeats no completed run.
 */
export function harborJudgeOf(
  place: Pick<HarborPlace, 'verify' | 'description'>,
  work: TakenWork,
  task: Pick<LoadedHarbor, 'tests' | 'altered'> = { tests: [], altered: [] },
): () => Promise<HarborEvaluation> {
  const taken = describeTaken(work)
  if (taken.verdict === 'fail') {
    const log = `FAIL ${taken.label}: ${taken.observed}\n`
    const exit = { code: null, signal: null }
    const none = { contract: contractOf([taken]), findings: work.findings, log, exit }
    return async () => ({ ...none, reward: null, rewards: {} })
  }
  const runChanged = changedRuns(place, work, task)
  const runTests = once(() => place.verify(work))
  return async () => {
    const changed = await runChanged()
    const run = await runTests()
    const judged = judgeReward(run)
    const counted = isRewarded(run) ? changed : null
    const assertions = [
      ...[taken, describeEnding(run), judged.assertion, ...(counted?.assertions ?? [])],
      ...describeTests(run),
    ]
    return {
      contract: { ...contractOf(assertions), ...(counted ? { guess: counted.guess } : {}) },
      findings: counted?.findings ?? [],
      log: `$ /tests/test.sh # in ${place.description}\n${run.log}${counted?.log ?? ''}`,
      exit: { code: run.ending.exitCode, signal: run.ending.signal },
      reward: judged.reward,
      rewards: judged.rewards,
    }
  }
}

/** True if a verifier exited and rewarded the work as solved. */
export function isRewarded(run: VerifierRun): boolean {
  const { assertion: reward } = judgeReward(run)
  return [describeEnding(run), reward].every(({ verdict }) => verdict === 'pass')
}

type ChangedRuns = Pick<HarborEvaluation, 'findings' | 'log'> & {
  assertions: Assertion[]
  guess: number
}

/** Runs the verifier with versions of the tests that are drawn for this attempt. */
function changedRuns(
  place: Pick<HarborPlace, 'verify'>,
  work: TakenWork,
  task: Pick<LoadedHarbor, 'tests' | 'altered'>,
): () => Promise<ChangedRuns> {
  const { versions, guess } = drawHarborVersions(task)
  const played: { log: string; failure: Failure | null }[] = []
  return async () => {
    while (played.length < versions.length && played.every(({ failure }) => failure === null)) {
      const version = versions[played.length] as HarborVersion
      const run = await place.verify(work, version.tests)
      played.push({ log: run.log, failure: judgeChanged(run, version) })
    }
    const failure = played.find((one) => one.failure !== null)?.failure ?? null
    const observed = failure?.observed ?? AGAIN
    const ok = failure === null
    return {
      guess,
      findings: failure?.isTampered ? [{ code: 'canary-not-reported', detail: observed }] : [],
      log: played
        .map(({ log }) => `\n$ /tests/test.sh # with tests that must fail\n${log}`)
        .join(''),
      assertions:
        versions.length === 0
          ? []
          : [assertion('canary', 'changed tests are not rewarded', AGAIN, observed, ok)],
    }
  }
}

type Failure = { observed: string; isTampered: boolean }

/** Returns null if the run shows the required result. */
function judgeChanged(
  run: VerifierRun,
  { isChanged, passing, failing }: HarborVersion,
): Failure | null {
  const isSolved = isRewarded(run)
  if (isChanged && isSolved) return { observed: BELIEVED, isTampered: true }
  const passed = new Set(passedIn(run))
  const believed = failing.filter((name) => passed.has(name)).length
  if (believed > 0)
    return {
      observed: `${believed} of ${countOf(failing.length, 'test')} whose expected values were made wrong are reported as passed`,
      isTampered: true,
    }
  const lost = passing.filter((name) => !passed.has(name)).length
  if (lost > 0 || (!isChanged && !isSolved))
    return {
      observed: 'tests that were not changed do not pass beside changed ones',
      isTampered: false,
    }
  return null
}

const AGAIN = 'not rewarded by changed tests'
const BELIEVED = 'the verifier rewards it although its tests were changed so that they must fail'

/** The format does not fix the number of tests, so the report determines it. */
function contractOf(assertions: Assertion[]): ContractResult {
  const isPassed = assertions.every(({ verdict }) => verdict === 'pass')
  const unknown = { expectedTests: null, executedTests: null, passedTests: null }
  return { verdict: isPassed ? 'pass' : 'fail', assertions, ...unknown }
}

function describeTaken({ changes, findings, problem }: TakenWork): Assertion {
  const observed =
    findings[0]?.detail ?? problem ?? `${countOf(changes.length, 'file')} added, changed or deleted`
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

/**
 * True for exit codes that mean death by signal: work that ran inside the script could have written its reward first.
 */
function isKilled(exitCode: number | null): boolean {
  return exitCode !== null && exitCode > FIRST_SIGNAL && exitCode <= FIRST_SIGNAL + MAX_SIGNALS
}

const [FIRST_SIGNAL, MAX_SIGNALS] = [128, 64]

function judgeReward({ txt, json, problem }: VerifierRun) {
  const read = readReward({ txt, json })
  const toAssertion = (observed: string, ok: boolean) =>
    assertion('reward', 'the reward is 1 or more', `at least ${SOLVED_REWARD}`, observed, ok)
  const none = { reward: null, rewards: {} }
  if (problem !== null) return { ...none, assertion: toAssertion(problem, false) }
  if (!read.ok)
    return { ...none, assertion: toAssertion(read.problems[0]?.message ?? 'no reward', false) }
  const { value, all } = read.value
  const names = Object.entries(all)
  const list =
    names.length > 1 ? ` (${names.map(([name, one]) => `${name} ${one}`).join(', ')})` : ''
  const isSolved = value >= SOLVED_REWARD
  return { reward: value, rewards: all, assertion: toAssertion(`${value}${list}`, isSolved) }
}

const MAX_TESTS = 1000

/** Tests of the verifier's report, shown next to the reward, which alone decides. */
function describeTests({ ctrf }: VerifierRun): Assertion[] {
  const run = ctrf === null ? null : readTestRun('ctrf', ctrf)
  if (run === null || !run.ok) return []
  const children = run.value
    .slice(0, MAX_TESTS)
    .map(({ name, status }) =>
      assertion('reported-test', name.slice(0, 300), 'shown only', status, true),
    )
  const passed = run.value.filter(({ status }) => status === 'passed').length
  const observed = `${passed} of ${run.value.length} passed`
  return [
    assertion(
      'reported-tests',
      'tests that the verifier reports',
      'shown only',
      observed,
      true,
      children,
    ),
  ]
}

import type { ReportedTest } from '#lib/domain/formats/index.ts'
import type { Assertion, ContractResult, TamperFinding } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { assertion } from '../assertion.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import { type ComparedTests, compareTests } from './compare-tests.ts'
import { findBrokenLimit } from './limits.ts'
import { once } from './once.ts'
import type { Change } from './overlay.ts'
import type { PreparedBase } from './prepare-base.ts'
import { CANARY_EXPECTED, type CanaryResult, canaryRuns } from './run-canaries.ts'
import type { VerifySettings } from './run-command.ts'
import type { TakenWork } from './take-changes.ts'
import { runVerify, type VerifyRun } from './verify-run.ts'

/** The evaluation of a work, in the form of an exercise's evaluation, so that both are reported alike. */
export type RepositoryEvaluation = {
  contract: ContractResult
  findings: TamperFinding[]
  log: string
  exit: { code: number | null; signal: string | null }
  /** The whole report of the judged run; empty if there was none. */
  reported: readonly ReportedTest[]
}

const NO_EXIT = { code: null, signal: null }

/**
 * Judges a work once; for a second try after a failure of this machine use `judgeOf`, which keeps the state of the
 * first.
 */
export function judgeWork(...given: Parameters<typeof judgeOf>): Promise<RepositoryEvaluation> {
  return judgeOf(...given)()
}

/**
 * Judges a work twice over: by runs with tests that must fail, then by exit code and report against the expected names.
 * The unaltered tests come last, when their content can no longer influence the other runs; only work that passes them
 * is judged by the others. Findings from taking out the work take precedence. A second call repeats only unfinished
 * runs, so that a failure of this machine does not allow a second guess.
 */
export function judgeOf(
  task: LoadedRepository,
  base: PreparedBase,
  work: Pick<TakenWork, 'changes' | 'findings' | 'problem'>,
  settings: VerifySettings,
): () => Promise<RepositoryEvaluation> {
  const { changes, findings } = work
  const taken = describeTaken(work)
  if (taken.verdict === 'fail') return async () => withoutRun(task, findings, taken)
  const runCanaries = canaryRuns(task, base, changes, settings)
  const runTests = once(() => runVerify(task, base, { changes, tests: task.tests }, settings))
  return async () => {
    const canary = await runCanaries()
    return judgeRuns(task, taken, { canary, run: canary?.stopped ?? (await runTests()) })
  }
}

/** Judges trusted changes by the unaltered tests alone. */
export async function judgeTests(
  task: LoadedRepository,
  base: PreparedBase,
  changes: readonly Change[],
  settings: VerifySettings,
): Promise<RepositoryEvaluation> {
  const run = await runVerify(task, base, { changes, tests: task.tests }, settings)
  return judgeRun(task, changes, run)
}

/** Judges trusted changes by a finished run of the unaltered tests alone. */
export function judgeRun(
  task: LoadedRepository,
  changes: readonly Change[],
  run: VerifyRun,
): RepositoryEvaluation {
  const taken = describeTaken({ changes: [...changes], findings: [], problem: null })
  return judgeRuns(task, taken, { canary: null, run })
}

function judgeRuns(
  task: LoadedRepository,
  taken: Assertion,
  { canary, run }: { canary: CanaryResult | null; run: VerifyRun },
): RepositoryEvaluation {
  const judged = compareRun(task, run)
  const isPassed = judged.assertions.every(({ verdict }) => verdict === 'pass')
  const counted = isPassed ? canary : null
  const missed = counted?.isTampered
    ? [{ code: 'canary-not-reported', detail: counted.observed }]
    : []
  const assertions = [taken, ...judged.assertions, ...(counted ? [describeCanaries(counted)] : [])]
  return {
    contract: {
      verdict: assertions.every(({ verdict }) => verdict === 'pass') ? 'pass' : 'fail',
      assertions,
      expectedTests: task.task.expectedTests.length,
      executedTests: judged.compared?.executed ?? 0,
      passedTests: judged.compared?.passed ?? 0,
      ...(counted ? { guess: counted.guess } : {}),
    },
    findings: [...judged.findings, ...missed],
    log: [`$ ${task.task.verify.command}\n`, run.log, counted?.log ?? ''].join('\n'),
    exit: { code: run.ending.exitCode, signal: run.ending.signal },
    reported: run.report.ok ? run.report.value : [],
  }
}

function describeTaken({
  changes,
  findings,
  problem,
}: Pick<TakenWork, 'changes' | 'findings' | 'problem'>): Assertion {
  const observed =
    findings[0]?.detail ?? problem ?? `${countOf(changes.length, 'file')} added, changed or deleted`
  const ok = findings.length === 0 && problem === null
  return assertion('patch', 'the work can be taken as a patch', 'files of the task', observed, ok)
}

function withoutRun(
  { task }: LoadedRepository,
  findings: readonly TamperFinding[],
  taken: Assertion,
): RepositoryEvaluation {
  return {
    contract: {
      verdict: 'fail',
      assertions: [taken],
      expectedTests: task.expectedTests.length,
      executedTests: 0,
      passedTests: 0,
    },
    findings: [...findings],
    log: `FAIL ${taken.label}: ${taken.observed}\n`,
    exit: NO_EXIT,
    reported: [],
  }
}

type JudgedRun = {
  assertions: Assertion[]
  findings: TamperFinding[]
  compared: ComparedTests | null
}

function compareRun(loaded: LoadedRepository, run: VerifyRun): JudgedRun {
  const { task } = loaded
  const { report, disturbed } = run
  const findings = disturbed.map((path) => ({
    code: 'test-file-changed',
    detail: `${path} was another file when the verify command had ended`,
  }))
  if (!report.ok) {
    const message = report.problems[0]?.message ?? 'the report cannot be read'
    const unread = assertion(
      'report',
      'the report can be read',
      task.verify.report.format,
      message,
      false,
    )
    return { assertions: [describeEnding(loaded, run, false), unread], findings, compared: null }
  }
  const flaky = new Set(task.flakyTests.map(({ name }) => name))
  const compared = compareTests(task.expectedTests, flaky, report.value)
  const { tests, set, passed, executed, onlyFlakyFailed } = compared
  const expected = task.expectedTests.length
  const assertions = [
    describeEnding(loaded, run, flaky.size > 0 && onlyFlakyFailed),
    assertion(
      'tests',
      'every expected test passes',
      `${expected} passed`,
      `${passed} passed`,
      passed === expected && expected > 0,
      tests,
    ),
    assertion(
      'executed-set',
      'each expected test is reported as often as expected',
      countOf(expected, 'test'),
      countOf(executed, 'test'),
      set.length === 0 && executed === expected,
      set,
    ),
    assertion(
      'integrity',
      'no test file was changed by the run',
      '0 changed',
      `${disturbed.length} changed`,
      disturbed.length === 0,
    ),
  ]
  return { assertions, findings, compared }
}

/** A report of passed tests with a non-zero exit code is not a pass, unless only non-deciding tests failed. */
function describeEnding(
  { task }: LoadedRepository,
  { ending, log }: VerifyRun,
  mayFail: boolean,
): Assertion {
  const label = 'the verify command'
  const isEnded = ending.cause === 'exited'
  const code = `exit code ${ending.exitCode ?? ending.signal}`
  const broken = findBrokenLimit(task, 'verify', { ending, log })
  const observed = isEnded
    ? [code, ...(broken === null ? [] : [broken])].join('; ')
    : (broken ?? ending.cause)
  const ok = isEnded && (ending.exitCode === 0 || (mayFail && ending.exitCode !== null))
  return assertion('exit-code', label, 'exit code 0', observed, ok)
}

function describeCanaries({ observed, ok }: CanaryResult): Assertion {
  const label = 'tests added to fail are reported as failed'
  return assertion('canary', label, CANARY_EXPECTED, observed, ok)
}

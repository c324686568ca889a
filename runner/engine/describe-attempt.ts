import type {
  ContractResult,
  EpisodeBody,
  FailureCategory,
  Outcome,
} from '#lib/domain/record/index.ts'
import { faultOf, isRunnerError } from '../runner-error.ts'
import type { CappedLog } from '../sandbox/process/capped-log.ts'
import type { SubjectEnding, SubjectResult } from '../subjects/subject-driver.ts'
import type { SourceText } from '../suites/task-folder.ts'
import { closeLog } from './collect-evidence.ts'
import { excludeUnasked } from './decide-subject-outcome.ts'
import type { AttemptEvaluation, StoredEvidence } from './environment-adapter.ts'
import { type DraftKey, unjudged, unknownEffort } from './episode-draft.ts'
import type { ContractEvaluation } from './evaluate-contract.ts'
import { type Metered, meterAttempt } from './run-subject.ts'
import type { TouchedFile } from './workspace.ts'

/** The contents of an envelope besides its identity, place and time. */
export type AttemptRecord = Omit<EpisodeBody, DraftKey | 'startedAt' | 'endedAt'> & {
  modelObserved: string[]
}

type Phases = {
  subject: SubjectResult
  touched: readonly TouchedFile[]
  judged: AttemptEvaluation | null
  stored: StoredEvidence
  wall: Partial<EpisodeBody['effort']['wall']>
}

const UNKNOWN_EXIT = { code: null, signal: null }

/** Combines the results of the phases: outcome, success flags, effort. Pure: looks nothing up. */
export function describeAttempt({ subject, touched, judged, stored, wall }: Phases): AttemptRecord {
  const { ending } = subject
  const outcome = excludeUnasked(settleOutcome(subject, judged), ending)
  const agentSuccess = ending.cause === 'exited' && ending.exitCode === 0
  const testSuccess = judged?.contract.verdict === 'pass'
  const metered = meterAttempt(ending.report ?? null)
  return {
    ...unjudged(),
    ...describeSubject(ending, { metered, stored, wall }),
    fault: describeRecovery(stored.fault ?? metered.fault, outcome),
    outcome,
    failureCategory: decideCategory(outcome, judged?.unsolvedAs ?? 'harness'),
    contract: judged?.contract ?? null,
    ...(judged?.testCommand && { testCommand: judged.testCommand }),
    agentSuccess,
    testSuccess,
    overallSuccess: agentSuccess && testSuccess,
    exit: {
      subject: { code: ending.exitCode, signal: ending.signal },
      gate: judged?.exit ?? UNKNOWN_EXIT,
    },
    integrity: {
      protectedFilesTouched: touched.slice(0, 500),
      findings: judged?.findings ?? [],
    },
    evidence: stored.files,
  }
}

/** Describes what a subject did, used and cost, whatever the outcome. */
function describeSubject(
  ending: SubjectEnding,
  {
    metered,
    stored,
    wall,
  }: { metered: Metered; stored: StoredEvidence | null; wall: Phases['wall'] },
) {
  const { prompt, activation, overrunMs, lingeredMs, noProgress } = ending
  return {
    usage: metered.usage,
    modelObserved: metered.modelObserved,
    ...(prompt && { prompt }),
    ...(activation && { activation }),
    ...(stored?.browser && { browser: stored.browser }),
    effort: {
      ...describeEffort(metered, noProgress, wall),
      ...(overrunMs === undefined ? {} : { overrunMs }),
      ...(lingeredMs === undefined ? {} : { lingeredMs }),
      ...ending.effort,
    },
  }
}

/**
 * Settles a budget stop. A subject that ended by itself when a budget was reached did not run out: its workspace is
 * judged, because nothing in it was made beyond the budget. One that had to be killed did not finish.
 */
function settleOutcome(
  { ending, outcome }: SubjectResult,
  judged: AttemptEvaluation | null,
): Outcome {
  const decided = outcome ?? judged?.outcome ?? STOPPED
  const endedItself = ending.cause === 'exited' && ending.signal === null
  const isSolved = judged?.outcome.status === 'solved'
  if (decided.status !== 'out-of-budget' || !endedItself || !isSolved) return decided
  const { budget, reason } = decided
  return { status: 'solved', budgetReached: { budget, reason } }
}

/** Recovery requires the same final contract; a subject that did not throw has not recovered by that alone. */
function describeRecovery(
  fault: EpisodeBody['fault'],
  { status }: EpisodeBody['outcome'],
): EpisodeBody['fault'] {
  return fault && { ...fault, recovered: fault.firedAt === null ? null : status === 'solved' }
}

function describeEffort(
  { steps, toolCalls, firstTool, gatewayRetries }: Metered,
  // The field cannot be null: without a watcher (`steps` is null too) the list is as empty as if nothing was found.
  noProgress: EpisodeBody['effort']['noProgress'] = [],
  wall: Phases['wall'],
): EpisodeBody['effort'] {
  const retries = { subject: null, gateway: gatewayRetries, harness: 0 }
  return { ...unknownEffort(wall), steps, toolCalls, firstTool, noProgress, retries }
}

const STOPPED: EpisodeBody['outcome'] = {
  status: 'cancelled',
  reason: 'the run was stopped before the contract was evaluated',
}

/** Any error in a phase after its run was stopped is caused by the stop: browsers and apps are closed at once. */
export function describeStop(log: CappedLog): AttemptRecord {
  return {
    ...unjudged(),
    outcome: STOPPED,
    failureCategory: 'cancelled',
    modelObserved: [],
    effort: unknownEffort(),
    evidence: [closeLog(log)],
  }
}

/**
 * A failure of the harness after the subject had ended: the attempt is void, and what the subject did, used and cost is
 * stored.
 */
export function describeLoss(
  error: unknown,
  subject: { value: SubjectResult; durationMs: number },
  stored: StoredEvidence | null,
  log: CappedLog,
): AttemptRecord {
  const { ending } = subject.value
  const metered = meterAttempt(ending.report ?? null)
  const { outcome, failureCategory, evidence } = describeFault(error, log)
  const fault = stored?.fault ?? metered.fault
  const subjectMs = subject.durationMs - (ending.pausedMs ?? 0)
  return {
    ...unjudged(),
    ...describeSubject(ending, { metered, stored, wall: { subjectMs } }),
    // Without a judgement, recovery is unknown.
    fault: fault && { ...fault, recovered: null },
    outcome,
    failureCategory,
    agentSuccess: ending.cause === 'exited' && ending.exitCode === 0,
    exit: { subject: { code: ending.exitCode, signal: ending.signal }, gate: UNKNOWN_EXIT },
    evidence: stored?.files ?? evidence,
  }
}

/** An error in a phase is a bug of the harness or a failure of this machine, never the subject's failure. */
export function describeFault(error: unknown, log: CappedLog): AttemptRecord {
  const { message } = error as Error
  const fault = faultOf(error)
  const reason = String(message ?? error).slice(0, 1000)
  const cause = isRunnerError(error, 'stale-task') ? ({ cause: 'reference-fails' } as const) : {}
  return {
    ...unjudged(),
    outcome: { status: 'void', fault, reason, ...cause },
    failureCategory: fault,
    modelObserved: [],
    effort: unknownEffort(),
    evidence: [closeLog(log)],
  }
}

/** Names the outcome if no earlier phase did: tampered, solved, crashed or unsolved, in this order. */
export function decideOutcome(
  ending: SubjectEnding,
  { contract, findings }: Pick<ContractEvaluation, 'contract' | 'findings'>,
): Outcome {
  if (findings.length > 0) return { status: 'tampered', findings: findings.slice(0, 50) }
  if (contract.verdict === 'pass') return { status: 'solved' }
  if (ending.cause === 'exited' && ending.exitCode !== 0) {
    const { exitCode, signal } = ending
    return {
      status: 'subject-crashed',
      exitCode,
      signal,
      reason: `exited with ${exitCode} and its work does not pass`,
    }
  }
  return { status: 'unsolved', reason: firstFailure(contract) }
}

/** Returns why it was not solved; null if it was. `unsolvedAs` = the category if nothing else went wrong. */
function decideCategory(outcome: Outcome, unsolvedAs: FailureCategory): FailureCategory | null {
  switch (outcome.status) {
    case 'solved':
      return null
    case 'tampered':
      return 'tampering'
    case 'cancelled':
      return 'cancelled'
    case 'void':
      return outcome.fault
    case 'out-of-budget':
      return outcome.budget === 'time' ? 'timeout' : 'budget'
    case 'subject-crashed':
      return 'crash'
    case 'unsolved':
      return unsolvedAs
  }
}

/** Returns the category of failure that an exercise's solution shows. */
export function codingCategory(
  { report, contract }: ContractEvaluation,
  stubs: readonly SourceText[],
  solution: readonly SourceText[],
): FailureCategory {
  const unchanged = stubs.every((stub) =>
    solution.some((file) => file.path === stub.path && file.text === stub.text),
  )
  if (unchanged) return 'no-change'
  if (report && !report.types.ok) return 'type-error'
  return (contract.passedTests ?? 0) > 0 ? 'partial' : 'test-failure'
}

/** Returns the deepest message of the first failed assertion: the first thing a reader wants to know. */
export function firstFailure(contract: ContractResult): string {
  const all = contract.assertions.filter(({ verdict }) => verdict === 'fail')
  // Failed tests say more than the exit code that followed from them.
  const failed = all.find(({ kind, children }) => kind === 'tests' && children.length > 0) ?? all[0]
  if (!failed) return 'the contract did not pass'
  const inner = failed.children.find(({ verdict }) => verdict === 'fail')
  const observed = (inner ?? failed).observed.split('\n')[0]?.slice(0, 300) ?? ''
  return inner ? `${failed.label}: ${inner.label}: ${observed}` : `${failed.label}: ${observed}`
}

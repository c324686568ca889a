import type { Problem } from '../text/index.ts'
import type { EpisodeBody } from './episode.ts'

type Rule<E = EpisodeBody> = { path: string; passes: (episode: E) => boolean; message: string }

/** Rules for episodes with a browser. */
const BROWSER_RULES: readonly Rule[] = [
  {
    path: 'browser',
    passes: (e) => !e.browser || (e.contract?.expectedTests ?? null) === null,
    message: 'an exercise, whose contract is tests, has no browser',
  },
  {
    path: 'browser.driven',
    passes: (e) => !e.browser || isModelDriven(e) === (e.browser.driven === 'llm'),
    message: 'must be llm exactly when a model was requested or responded',
  },
  {
    path: 'browser.targeting',
    passes: ({ browser, subject: { targeting } }) =>
      !browser || targeting === undefined || targeting === browser.targeting,
    message: 'is not how the subject points at elements',
  },
  {
    path: 'browser.reuse',
    passes: ({ browser, subject }) =>
      !browser || subject.settings.browser !== 'cold' || browser.reuse === 'cold',
    message: 'is not the requested browser',
  },
  {
    path: 'browser.recovery.fault',
    passes: ({ browser, fault }) =>
      !browser?.recovery?.fault || (fault !== null && fault.firedAt !== null),
    message: 'names a fault that never fired',
  },
  {
    path: 'browser.recovery.detectMs',
    passes: ({ browser }) =>
      (browser?.recovery?.detectMs ?? null) === null || browser?.recovery?.fault != null,
    message: 'counts from a fault, and none is named',
  },
]

// A seal proves that nothing changed since sealing, not that the content is plausible.
const RULES: readonly Rule[] = [
  {
    path: 'testSuccess',
    passes: (e) => e.testSuccess === (e.contract?.verdict === 'pass'),
    message: 'must say what contract.verdict says',
  },
  {
    path: 'overallSuccess',
    passes: (e) => e.overallSuccess === (e.agentSuccess && e.testSuccess),
    message: 'must be agentSuccess and testSuccess',
  },
  {
    path: 'outcome',
    passes: (e) => e.outcome.status !== 'solved' || e.contract?.verdict === 'pass',
    message: 'solved needs a contract that passed',
  },
  {
    path: 'outcome',
    passes: (e) => e.outcome.status !== 'solved' || e.integrity.findings.length === 0,
    message: 'solved is not possible with findings of tampering',
  },
  {
    path: 'outcome',
    passes: (e) => e.outcome.status !== 'solved' || findBrokenBudget(e) === null,
    message: 'solved is not possible with more steps, tokens, cost or time than its settings allow',
  },
  {
    path: 'outcome.budgetReached',
    passes: ({ outcome, subject: { settings } }) =>
      outcome.status !== 'solved' ||
      outcome.budgetReached === undefined ||
      hasBudget(settings, outcome.budgetReached.budget),
    message: 'names a budget that the settings do not have',
  },
  {
    path: 'outcome',
    passes: (e) => e.outcome.status !== 'unsolved' || e.contract !== null,
    message: 'unsolved needs a contract that was evaluated',
  },
  {
    path: 'failureCategory',
    passes: (e) => (e.failureCategory === null) === (e.outcome.status === 'solved'),
    message: 'is null exactly when solved',
  },
  {
    path: 'contract.executedTests',
    passes: allExecuted,
    message: 'a pass needs every expected test executed and passed',
  },
  {
    path: 'contract.assertions',
    passes: (e) =>
      e.contract?.verdict !== 'pass' ||
      e.contract.assertions.every(({ verdict }) => verdict === 'pass'),
    message: 'a pass cannot hold a failed assertion',
  },
  { path: 'endedAt', passes: (e) => e.endedAt >= e.startedAt, message: 'is before startedAt' },
  {
    path: 'environment.isolation',
    passes: (e) => e.environment.isolation === e.subject.settings.isolation,
    message: 'is not the requested isolation',
  },
  {
    path: 'previousAttempt',
    passes: (e) => e.attempt > 1 || e.previousAttempt === null,
    message: 'a first attempt has none before it',
  },
  {
    path: 'fault.recovered',
    passes: (e) => e.fault?.recovered !== true || e.fault.firedAt !== null,
    message: 'nothing is recovered from a fault that never fired',
  },
  {
    path: 'subject.armDigest',
    passes: ({ subject }) => (subject.arm === undefined) === (subject.armDigest === undefined),
    message: 'is required with the name of an arm, and only there',
  },
  {
    path: 'activation',
    passes: ({ activation, subject }) => activation === undefined || subject.arm !== undefined,
    message: 'is of an arm, and the subject has none',
  },
  ...BROWSER_RULES,
]

/** The fields of a reported episode that these rules use. */
type Reported = Pick<
  EpisodeBody,
  'outcome' | 'failureCategory' | 'startedAt' | 'endedAt' | 'attempt' | 'previousAttempt'
> & { overallSuccess: boolean | null }

/** Rules for reported episodes: statements that no valid record makes. */
const REPORTED_RULES: readonly Rule<Reported>[] = [
  {
    path: 'outcome',
    passes: (e) => e.outcome.status !== 'solved' || e.overallSuccess !== false,
    message: 'solved is not possible with overallSuccess false',
  },
  {
    path: 'outcome',
    passes: (e) => e.overallSuccess !== true || e.outcome.status === 'solved',
    message: 'must be solved when overallSuccess is true',
  },
  {
    path: 'outcome',
    passes: (e) => e.outcome.status !== 'tampered',
    message: 'tampered requires that the files were watched',
  },
  {
    path: 'failureCategory',
    passes: (e) => e.failureCategory === null || e.outcome.status !== 'solved',
    message: 'is null when solved',
  },
  { path: 'endedAt', passes: (e) => e.endedAt >= e.startedAt, message: 'is before startedAt' },
  {
    path: 'previousAttempt',
    passes: (e) => e.attempt > 1 || e.previousAttempt === null,
    message: 'a first attempt has none before it',
  },
]

/** Returns statements of an envelope that cannot all be true, each with its path. */
export function findContradictions(episode: EpisodeBody): Problem[] {
  return broken(RULES, episode)
}

/** Returns the same for a reported episode. */
export function findReportedContradictions(episode: Reported): Problem[] {
  return broken(REPORTED_RULES, episode)
}

function broken<E>(rules: readonly Rule<E>[], episode: E): Problem[] {
  return rules
    .filter(({ passes }) => !passes(episode))
    .map(({ path, message }) => ({ path, message }))
}

function isModelDriven({ subject: { modelRequested, modelObserved } }: EpisodeBody): boolean {
  return modelRequested !== null || modelObserved.length > 0
}

function allExecuted({ contract }: EpisodeBody): boolean {
  if (contract?.verdict !== 'pass' || contract.expectedTests === null) return true
  return (
    contract.executedTests === contract.expectedTests &&
    contract.passedTests === contract.expectedTests
  )
}

function hasBudget(
  { maxSteps, maxTokens, maxCostMicroUsd }: EpisodeBody['subject']['settings'],
  budget: 'time' | 'steps' | 'tokens' | 'cost' | 'disk' | 'processes',
): boolean {
  const limits = { steps: maxSteps, tokens: maxTokens, cost: maxCostMicroUsd, time: 0 }
  return budget !== 'disk' && budget !== 'processes' && limits[budget] !== null
}

/** Maximum excess of calls in progress over a limit: budgets are checked before a call, and one call may be large. */
const MAX_CALL_EXCESS = { tokens: 2_000_000, costMicroUsd: 20_000_000, timeMs: 300_000 }

/** Returns the budget that was exceeded by more than the calls in progress can explain; null = none known. */
function findBrokenBudget(episode: EpisodeBody): string | null {
  const { subject, effort, usage } = episode
  const { maxSteps, maxTokens, maxCostMicroUsd, timeoutMs } = subject.settings
  const { input, output } = usage?.tokens ?? { input: null, output: null }
  const isOver = (used: number | null | undefined, limit: number | null, slack: number) =>
    limit !== null && (used ?? 0) > limit + slack
  // A step is counted before its response arrives, so the limit of steps is never exceeded.
  if (isModelDriven(episode) && isOver(effort.steps, maxSteps, 0)) return 'steps'
  if (isOver((input ?? 0) + (output ?? 0), maxTokens, MAX_CALL_EXCESS.tokens)) return 'tokens'
  if (isOver(usage?.costMicroUsd, maxCostMicroUsd, MAX_CALL_EXCESS.costMicroUsd)) return 'cost'
  return isOver(effort.wall.subjectMs, timeoutMs, MAX_CALL_EXCESS.timeMs) ? 'time' : null
}

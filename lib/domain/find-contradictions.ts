import type { EpisodeBody } from './episode.ts'
import type { Problem } from './problem.ts'

type Rule = { path: string; holds: (episode: EpisodeBody) => boolean; message: string }

// A seal proves that nothing changed since sealing, not that what was sealed made sense.
const RULES: readonly Rule[] = [
  {
    path: 'testSuccess',
    holds: (e) => e.testSuccess === (e.contract?.verdict === 'pass'),
    message: 'must say what contract.verdict says',
  },
  {
    path: 'overallSuccess',
    holds: (e) => e.overallSuccess === (e.agentSuccess && e.testSuccess),
    message: 'must be agentSuccess and testSuccess',
  },
  {
    path: 'outcome',
    holds: (e) => e.outcome.status !== 'solved' || e.contract?.verdict === 'pass',
    message: 'solved needs a contract that passed',
  },
  {
    path: 'outcome',
    holds: (e) => e.outcome.status !== 'solved' || e.integrity.findings.length === 0,
    message: 'solved cannot stand beside findings of tampering',
  },
  {
    path: 'outcome',
    holds: (e) => e.outcome.status !== 'unsolved' || e.contract !== null,
    message: 'unsolved needs a contract that was evaluated',
  },
  {
    path: 'failureCategory',
    holds: (e) => (e.failureCategory === null) === (e.outcome.status === 'solved'),
    message: 'is null exactly when solved',
  },
  {
    path: 'contract.executedTests',
    holds: allExecuted,
    message: 'a pass needs every expected test executed and passed',
  },
  {
    path: 'contract.assertions',
    holds: (e) =>
      e.contract?.verdict !== 'pass' ||
      e.contract.assertions.every(({ verdict }) => verdict === 'pass'),
    message: 'a pass cannot hold a failed assertion',
  },
  { path: 'endedAt', holds: (e) => e.endedAt >= e.startedAt, message: 'lies before startedAt' },
  {
    path: 'environment.isolation',
    holds: (e) => e.environment.isolation === e.subject.settings.isolation,
    message: 'is not the isolation that was asked for',
  },
  {
    path: 'previousAttempt',
    holds: (e) => e.attempt > 1 || e.previousAttempt === null,
    message: 'a first attempt has none before it',
  },
]

/** Statements of an envelope that cannot all be true, each with its place. */
export function findContradictions(episode: EpisodeBody): Problem[] {
  return RULES.filter(({ holds }) => !holds(episode)).map(({ path, message }) => ({
    path,
    message,
  }))
}

function allExecuted({ contract }: EpisodeBody): boolean {
  if (contract?.verdict !== 'pass' || contract.expectedTests === null) return true
  return (
    contract.executedTests === contract.expectedTests &&
    contract.passedTests === contract.expectedTests
  )
}

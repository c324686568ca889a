import type { EpisodeFact } from './episode-fact.ts'

/** Every field of a fact, in one order. */
const FIELDS: object = {
  episodeId: undefined,
  runId: undefined,
  planDigest: undefined,
  suiteId: undefined,
  suiteDigest: undefined,
  taskId: undefined,
  taskDigest: undefined,
  category: undefined,
  repetition: undefined,
  attempt: undefined,
  status: undefined,
  failureCategory: undefined,
  mode: undefined,
  verdict: undefined,
  subject: undefined,
  settings: undefined,
  modelObserved: undefined,
  models: undefined,
  temperaturesSent: undefined,
  implausibleCalls: undefined,
  unpinned: undefined,
  findings: undefined,
  recordingDigest: undefined,
  fault: undefined,
  startedAt: undefined,
  subjectMs: undefined,
  totalMs: undefined,
  steps: undefined,
  tokens: undefined,
  costMicroUsd: undefined,
  metered: undefined,
  subjectUser: undefined,
  agentExit: undefined,
  activation: undefined,
  browser: undefined,
  grading: undefined,
  guess: undefined,
  registrations: undefined,
  escrow: undefined,
  origin: undefined,
  provenance: undefined,
  voucher: undefined,
  account: undefined,
  receivedUnder: undefined,
} satisfies Record<keyof EpisodeFact, undefined>

/**
 * Copies a fact with changes into an object that has every field, in one order. Optional fields would otherwise give a
 * row's facts thousands of hidden classes in V8, and reading them takes several times longer.
 */
export function shapeFact<Changes extends Partial<EpisodeFact>>(
  fact: EpisodeFact,
  changes: Changes,
): EpisodeFact & Changes {
  return Object.assign({ ...FIELDS }, fact, changes)
}

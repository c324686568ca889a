import { digestBytes } from '../digest/index.ts'
import { type AnyPlan, episodeFact, type Provenance, type SubmittedRun } from '../record/index.ts'
import {
  digestSuite,
  type Exercise,
  PROTOCOL_VERSION,
  type Suite,
  UNKNOWN_EXERCISE,
} from '../tasks/index.ts'
import type { Board } from './board-row.ts'
import { buildBoard } from './build-board.ts'

/** The board of results of one version of a suite; null = the suite is not here, and may have more tasks than they name. */
export function boardOfResults(
  runs: readonly SubmittedRun[],
  suite: Suite | null,
  provenance: Provenance,
): Board {
  return buildBoard({
    suite: suite ?? playedSuite(runs.map(({ plan }) => plan)),
    ...resultsOf(runs, provenance),
  })
}

/** Facts and runs of results that no ledger lists: all count with this provenance. */
export function resultsOf(runs: readonly SubmittedRun[], provenance: Provenance) {
  return {
    facts: runs.flatMap(({ episodes }) => episodes.map((one) => episodeFact(one, provenance))),
    runs: runs.map(({ runId, plan, shard }) => (shard ? { runId, plan, shard } : { runId, plan })),
  }
}

/** Parts of a suite that frozen plans contain: names, digests and categories of the planned tasks. */
function playedSuite(plans: readonly AnyPlan[]) {
  const tasks = listPlanned(plans)
  const { suiteId = '', suiteDigest: digest = EMPTY_DIGEST } = plans[0] ?? {}
  return { suiteId, title: suiteId, description: '', digest, tasks }
}

function listPlanned(plans: readonly AnyPlan[]): Exercise[] {
  const planned = new Map(plans.flatMap(({ tasks }) => tasks.map((task) => [task.taskId, task])))
  return [...planned.values()].map(({ taskId, digest, category }) => {
    return { ...UNKNOWN_EXERCISE, taskId, digest, category, title: taskId }
  })
}

const EMPTY_DIGEST = digestBytes('')

/**
 * Reconstructs a suite from frozen plans: names, digests and categories, no texts. Null = the plans do not cover all of
 * its tasks, so it is unknown whether a row covers the suite.
 */
export function suiteFromPlans(plans: readonly AnyPlan[]): Suite | null {
  const [first] = plans
  if (!first) return null
  const tasks = listPlanned(plans)
  const { suiteId, suiteDigest } = first
  // Plans frozen under an earlier protocol describe a suite of that protocol.
  const protocolVersion = KNOWN_PROTOCOLS.find((one) => digestSuite(tasks, one) === suiteDigest)
  if (protocolVersion === undefined) return null
  return { ...UNKNOWN_SUITE, suiteId, protocolVersion, title: suiteId, digest: suiteDigest, tasks }
}

const KNOWN_PROTOCOLS = Array.from({ length: PROTOCOL_VERSION }, (_, index) => index + 1)

const UNKNOWN_SUITE = {
  kind: 'exercise' as const,
  // Plans do not state which kinds the suite measures, so all are allowed.
  subjectKinds: ['agent' as const, 'library' as const, 'control' as const],
  description: '',
  version: 'unknown',
  source: null,
}

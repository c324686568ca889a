import type { Digest } from '../digest/index.ts'
import type { EvidenceLabel } from '../eligibility/index.ts'
import {
  type AnyEpisode,
  type AnyPlan,
  type EpisodeFact,
  episodeFact,
  type Provenance,
  type Shard,
} from '../record/index.ts'
import type { Suite } from '../tasks/index.ts'
import type { BoardRow } from './board-row.ts'
import type { EligibilityInput } from './build-board-input.ts'
import { buildEligibility, type GroupDecision } from './build-eligibility.ts'
import { buildRow } from './build-row.ts'

/** The contents of one result: a run's plan and episodes; a single episode has no plan. */
export type Result = {
  runId: string
  plan: AnyPlan | null
  shard: Shard
  episodes: readonly AnyEpisode[]
}

/** A row's eligibility outside of a board. */
export type JudgedRow = Pick<
  BoardRow,
  | 'rowId'
  | 'suiteId'
  | 'suiteDigest'
  | 'subject'
  | 'modes'
  | 'success'
  | 'plannedEpisodes'
  | 'provenance'
> & {
  eligible: boolean
  label: EvidenceLabel
  reasons: { code: string; text: string; fix: string }[]
  /** False = the suite is not available: only the planned tasks were checked, and the suite may have more. */
  suiteKnown: boolean
}

export type JudgeOptions = {
  /** The assumed provenance of the results. */
  provenance: Provenance
  /** The exact version of a suite, if it is available. */
  findSuite: (
    suiteId: string,
    digest: Digest,
  ) => (Pick<Suite, 'tasks' | 'thresholds'> & Partial<Pick<Suite, 'kind' | 'subjectKinds'>>) | null
}

/**
 * Returns the eligibility of every row of these results, compared with each other. The order of the input does not
 * matter.
 */
export function judgeResults(results: readonly Result[], options: JudgeOptions): JudgedRow[] {
  return listDigests(results).flatMap((digest) => judgeSuite(digest, results, options))
}

function judgeSuite(
  digest: Digest,
  results: readonly Result[],
  options: JudgeOptions,
): JudgedRow[] {
  return suiteRows(digest, results, options).map(({ row, eligibility, suiteKnown }) => {
    const { rowId, suiteId, subject, modes, success, plannedEpisodes } = row
    const { eligible, label, refusals } = eligibility
    const reasons = refusals.map(({ code, reason, remedy }) => ({
      code,
      text: reason,
      fix: remedy,
    }))
    return {
      subject,
      eligible,
      label,
      reasons,
      rowId,
      suiteId,
      suiteDigest: digest,
      suiteKnown,
      modes,
      success,
      plannedEpisodes,
      provenance: options.provenance,
    }
  })
}

/** A row of results as on a board, without a rank; with the counted episodes. */
export type ResultRow = { row: BoardRow; counted: readonly EpisodeFact[]; suiteKnown: boolean }

/** Builds every row of these results, for each suite version that they name, judged together with the others. */
export function buildResultRows(results: readonly Result[], options: JudgeOptions): ResultRow[] {
  return listDigests(results).flatMap((digest) => suiteRows(digest, results, options))
}

function listDigests(results: readonly Result[]): Digest[] {
  const episodes = results.flatMap((result) => result.episodes)
  return [...new Set(episodes.map(({ suiteDigest }) => suiteDigest))].sort()
}

function suiteRows(
  digest: Digest,
  results: readonly Result[],
  { provenance, findSuite }: JudgeOptions,
): (ResultRow & Pick<GroupDecision, 'eligibility'>)[] {
  const episodes = results
    .flatMap((result) => result.episodes)
    .filter(({ suiteDigest }) => suiteDigest === digest)
  const suiteId = episodes[0]?.suiteId ?? ''
  const known = findSuite(suiteId, digest)
  const runs = results.flatMap(({ runId, plan, shard }) =>
    plan?.suiteDigest === digest ? [{ runId, plan, shard }] : [],
  )
  const input: EligibilityInput = {
    suite: {
      suiteId,
      digest,
      tasks:
        known?.tasks ??
        playedTasks(
          episodes,
          runs.flatMap(({ plan }) => plan.tasks),
        ),
      thresholds: known?.thresholds,
      ...(known?.kind && { kind: known.kind, subjectKinds: known.subjectKinds }),
    },
    facts: episodes.map((episode) => episodeFact(episode, provenance)),
    runs,
  }
  return buildEligibility(input).map(({ group, eligibility }) => ({
    row: buildRow(group, eligibility),
    counted: group.counted,
    eligibility,
    suiteKnown: known !== null,
  }))
}

function playedTasks(
  episodes: readonly AnyEpisode[],
  planned: AnyPlan['tasks'],
): EligibilityInput['suite']['tasks'] {
  const tasks = new Map(planned.map(({ taskId, digest }) => [taskId, { taskId, digest }]))
  for (const { taskId, taskDigest } of episodes) {
    if (!tasks.has(taskId)) tasks.set(taskId, { taskId, digest: taskDigest })
  }
  return [...tasks.values()]
}

import { buildRowGroups, type EligibilityInput, type RowGroup } from '../board/index.ts'
import { countSlots, type EpisodeFact } from '../record/index.ts'
import { draftTopUp, findObstacle, lastRepetition, type TopUpDraftPlan } from './plan-top-up.ts'

/** A plan that repeats the failed infrastructure episodes of a run: `episodes` of the planned `of`. */
export type Rerun =
  | { ok: true; draft: TopUpDraftPlan; episodes: number; of: number }
  | { ok: false; reason: string }

/**
 * Plans new attempts for exactly those slots of a run that failed because of the machine or the harness: the last
 * attempt is void for `infrastructure` or `harness`, and no top-up has replaced it. Failures of the subject are never
 * run again, and provider failures are left to a top-up.
 */
export function planRerun(board: EligibilityInput, runId: string): Rerun {
  const all = buildRowGroups(board).flatMap((group) => {
    const run = group.runs.find((one) => one.runId === runId)
    return run ? [{ group, planned: countSlots(run.plan) }] : []
  })
  // The arms of one run are several rows: the first one that lacks something is planned first.
  const found =
    all.find(({ group }) => listInfrastructureFailures(group, runId).length > 0) ?? all[0]
  if (!found)
    return { ok: false, reason: 'This run has no entry on the current leaderboard of its suite.' }
  const { group, planned: of } = found
  const obstacle = findObstacle(group)
  if (obstacle) return { ok: false, reason: obstacle.reason }
  const failures = listInfrastructureFailures(group, runId)
  if (failures.length === 0) {
    const reason =
      'No episode of this run was excluded because of an infrastructure or harness error.'
    return { ok: false, reason }
  }
  const { length: episodes } = failures
  return { ok: true, draft: draftRerun(group, runId, failures), episodes, of }
}

const OURS: ReadonlySet<string | null> = new Set(['infrastructure', 'harness'])

function listInfrastructureFailures({ counted, planned }: RowGroup, runId: string): EpisodeFact[] {
  const owed = new Set(planned.map(slotOf))
  return counted.filter(
    (fact) =>
      fact.runId === runId &&
      fact.status === 'void' &&
      OURS.has(fact.failureCategory) &&
      owed.has(slotOf(fact)),
  )
}

/** Numbers continue after the highest one the row used, as in every top-up; only this run's slots are replaced. */
function draftRerun(group: RowGroup, runId: string, failures: readonly EpisodeFact[]) {
  const taskIds = [...new Set(failures.map(({ taskId }) => taskId))].sort()
  const needs = taskIds.map((taskId) => {
    const own = failures.filter((fact) => fact.taskId === taskId)
    const { taskDigest, category } = own[0] as EpisodeFact
    const last = lastRepetition(group, taskId)
    return { taskId, digest: taskDigest, category, planned: own.map((_, at) => last + at + 1) }
  })
  const draft = draftTopUp(group, needs)
  return { ...draft, topUpOf: { rowId: group.rowId, runIds: [runId] } }
}

function slotOf({
  runId,
  taskId,
  repetition,
}: Pick<EpisodeFact, 'runId' | 'taskId' | 'repetition'>) {
  return `${runId}/${taskId}/${repetition}`
}

import { buildBoard } from '#lib/domain/board/index.ts'
import { type ArmsView, compareArms } from '#lib/domain/compare/index.ts'
import { type Episode, episodeFact, type Plan, type Shard } from '#lib/domain/record/index.ts'
import { compareRows } from '#lib/domain/statistics/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'

type EndedRun = { runId: string; plan: Plan; shard: Shard; attempts: readonly Episode[] }

/** What a run shows of its arms, by the same comparison as the board's page; null = the plan has none to compare. */
export function compareRunArms(
  { runId, plan, shard, attempts }: EndedRun,
  suite: Suite,
): ArmsView | null {
  if (plan.arms === undefined || plan.topUpOf) return null
  const facts = attempts.map((episode) => episodeFact(episode, 'local'))
  const { rows } = buildBoard({ suite, facts, runs: [{ runId, plan, shard }] })
  const counts = rows.map(({ rowId, tasks, looks }) => ({ key: rowId, tallies: tasks, looks }))
  return compareArms(rows, compareRows(counts))
}

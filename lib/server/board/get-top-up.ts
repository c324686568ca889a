import { listBoardsWithRows } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import type { TopUpView } from '#lib/domain/api/index.ts'
import type { BoardRow } from '#lib/domain/board/index.ts'
import { planTopUp, SUITE_CHANGED, type TopUp, type TopUpGoal } from '#lib/domain/planner/index.ts'
import { countSlots, freezePlan, type Plan, subjectLabel } from '#lib/domain/record/index.ts'
import { AppError } from '#lib/errors.ts'
import { readBoardInput } from '../../db/refresh-board.ts'

/** Returns what a row lacks, task by task; null = no such row, on no version of any suite. */
export async function getTopUp(
  rowId: string,
  goal: TopUpGoal,
  now: string,
): Promise<TopUpView | null> {
  const found = await askTopUp(rowId, goal)
  if (!found) return null
  const { row, result } = found
  const { suiteId, subject, refusals, runIds } = row
  const about = { rowId, suiteId, subjectLabel: subjectLabel(subject), refusals, runIds }
  if (!result.ok) return { ...about, result }
  const plan = freezePlan(result.draft, { now })
  const { needs, unmended } = result
  const { planDigest } = plan
  const episodes = countSlots(plan)
  return { ...about, result: { ok: true, planDigest, episodes, needs, unmended } }
}

/** Freezes the top-up plan at `now`; its digest does not depend on the time. Throws an AppError. */
export async function freezeTopUp(rowId: string, goal: TopUpGoal, now: string): Promise<Plan> {
  const found = await askTopUp(rowId, goal)
  if (!found) throw new AppError('not-found', `no row ${rowId.slice(0, 80)} on any leaderboard`)
  const { result } = found
  if (!result.ok) throw new AppError('conflict', result.refusal.reason)
  return freezePlan(result.draft, { now })
}

async function askTopUp(
  rowId: string,
  goal: TopUpGoal,
): Promise<{ row: BoardRow; result: TopUp } | null> {
  const db = database()
  const [record] = await listBoardsWithRows(db, [rowId])
  const row = record?.board.rows.find((one) => one.rowId === rowId)
  const suite = row && (await findSuite(db, row.suiteId))
  if (!row || !suite) return null
  if (row.suiteDigest !== suite.digest)
    return { row, result: { ok: false, refusal: SUITE_CHANGED } }
  const { input } = await readBoardInput(db, suite)
  return { row, result: planTopUp(input, rowId, goal) }
}

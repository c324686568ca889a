import { type BoardRow, isRow, pickRow, type Refusal } from '../board/board-row.ts'
import type { BuildBoardInput } from '../board/build-board-input.ts'
import { boardPolicy, buildEligibility } from '../board/build-eligibility.ts'
import { buildRowGroups } from '../board/build-row-groups.ts'
import { listNames } from '../eligibility/list-names.ts'
import { draftTopUp, findObstacle, type TopUpDraftPlan, type TopUpRefusal } from './draft-top-up.ts'
import { listTaskNeeds, type TaskNeed, type TopUpGoal } from './list-task-needs.ts'

/** A plan of what a row lacks, not frozen yet. */
export type TopUpDraft = {
  draft: TopUpDraftPlan
  /** All tasks of the suite with their scored and planned episodes. */
  needs: TaskNeed[]
  /** Reasons why the row is not a claim that more samples do not fix. */
  unmended: Refusal[]
}

export type TopUp = ({ ok: true } & TopUpDraft) | { ok: false; refusal: TopUpRefusal }

const MENDED = new Set(['samples', 'complete'])

/**
 * Plans exactly the samples that a row lacks, under the row's own settings: a replacement for each planned episode that
 * is void, cancelled or missing, one of every task that has none, and what the goal's threshold still wants, spread
 * evenly. Refuses by name where a top-up cannot help. Pure.
 */
export function planTopUp(
  board: BuildBoardInput,
  rowId: BoardRow['rowId'],
  goal: TopUpGoal = { kind: 'aggregate' },
): TopUp {
  const decisions = buildEligibility(board)
  const known = pickRow(
    decisions.map(({ group }) => group),
    rowId,
  )
  const decision = decisions.find(({ group }) => group === known)
  if (!decision) return refuse(findElsewhere(board, rowId))
  const { group, eligibility } = decision
  const obstacle = findObstacle(group)
  if (obstacle) return refuse(obstacle)
  const needs = listTaskNeeds(group, board.suite.tasks, boardPolicy(board), goal)
  const unmended = eligibility.refusals.filter(({ code }) => !MENDED.has(code))
  if (needs.every(({ planned }) => planned.length === 0)) return refuse(nothingMissing(unmended))
  return { ok: true, draft: draftTopUp(group, needs), needs, unmended }
}

export const SUITE_CHANGED: TopUpRefusal = {
  code: 'suite-changed',
  reason:
    'The suite has changed since this entry was measured, so it cannot be topped up. Plan a new run on the current version.',
}

function refuse(refusal: TopUpRefusal): TopUp {
  return { ok: false, refusal }
}

/** The row may have been measured on another version of the suite. */
function findElsewhere({ suite, ...rest }: BuildBoardInput, rowId: string): TopUpRefusal {
  const versions = new Set(rest.facts.map((fact) => fact.suiteDigest))
  const isThere = [...versions].some((digest) => {
    const there = { ...suite, digest: digest as BuildBoardInput['suite']['digest'] }
    return buildRowGroups({ ...rest, suite: there }).some((group) => isRow(group, rowId))
  })
  if (isThere) return SUITE_CHANGED
  const reason =
    'This entry is not on the leaderboard. It may have been removed, or the link is wrong.'
  return { code: 'row-unknown', reason }
}

function nothingMissing(unmended: readonly Refusal[]): TopUpRefusal {
  if (unmended.length === 0) {
    const reason = 'No episodes are missing: every planned episode is scored, and there are enough.'
    return { code: 'nothing-missing', reason }
  }
  const codes = listNames(
    unmended.map(({ code }) => code),
    6,
  )
  const reason = `No episodes are missing. The entry is unranked for other reasons (${codes}), which a top-up cannot fix.`
  return { code: 'not-about-samples', reason }
}

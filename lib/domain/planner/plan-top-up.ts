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
  /** Every task of the suite with what it has and what it is to get. */
  needs: TaskNeed[]
  /** Reasons why the row is no claim that more samples do not mend. */
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
    'The suite has changed since this row was measured: the missing samples cannot be added to it. Plan a new run on the present version.',
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
  const reason = 'No such row is on this board: it may have been taken down, or the link is wrong.'
  return { code: 'row-unknown', reason }
}

function nothingMissing(unmended: readonly Refusal[]): TopUpRefusal {
  if (unmended.length === 0) {
    const reason = 'Nothing is missing: every planned sample is there, and they are enough.'
    return { code: 'nothing-missing', reason }
  }
  const codes = listNames(
    unmended.map(({ code }) => code),
    6,
  )
  const reason = `Nothing is missing. The row is no claim for a reason that is not about samples (${codes}): a top-up cannot mend it.`
  return { code: 'not-about-samples', reason }
}

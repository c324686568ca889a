import type { Digest } from '../digest.ts'
import { POLICY } from '../eligibility/policy.ts'
import { rankRows } from '../statistics/rank-rows.ts'
import { subjectLabel } from '../subject.ts'
import type { Board, BoardRow } from './board-row.ts'
import type { BuildBoardInput } from './build-board-input.ts'
import { buildEligibility } from './build-eligibility.ts'
import { buildRow } from './build-row.ts'
import { buildRowGroups } from './build-row-groups.ts'

const RANKING_METHOD =
  'mean over tasks; ties by paired sign-flip tests on common tasks, Benjamini–Hochberg over all pairs; ' +
  'rank intervals by one task bootstrap common to all rows'

/**
 * One suite's leaderboard out of its episodes: counted attempts, rates with intervals, the gate's decisions, ranks.
 * Pure and deterministic: the same members in any order give the same canonical JSON. Best row first, rows without a
 * rate last.
 */
export function buildBoard(input: BuildBoardInput): Board {
  const groups = buildRowGroups(input)
  const decisions = buildEligibility(input, groups)
  const rows = decisions.map(({ group, eligibility }) => buildRow(group, eligibility))
  const { version } = input.policy ?? POLICY
  return {
    schemaVersion: 1,
    suite: describeSuite(input.suite),
    policyVersion: version,
    ...rankBoard(rows),
  }
}

function describeSuite({ suiteId, title, description, digest, tasks }: BuildBoardInput['suite']) {
  const shown = tasks.map((task) => {
    const { taskId, title: taskTitle, category, difficulty } = task
    return { taskId, title: taskTitle, category, difficulty }
  })
  shown.sort((a, b) => (a.taskId < b.taskId ? -1 : 1))
  return { suiteId, title, description, digest: digest as Digest, tasks: shown }
}

/** Gives every row with a rate its rank and puts the rows in order. */
function rankBoard(rows: readonly BoardRow[]): Pick<Board, 'ranking' | 'rows'> {
  const inputs = rows.map((row) => ({
    key: row.rowId,
    label: subjectLabel(row.subject),
    tallies: row.tasks,
  }))
  const { rows: ranked, ...ranking } = rankRows(inputs)
  const byId = new Map(rows.map((row) => [row.rowId, row]))
  const first = ranked.flatMap(({ key, ...rank }) => {
    const row = byId.get(key)
    return row ? [{ ...row, rank }] : []
  })
  const placed = new Set(ranked.map(({ key }) => key))
  const last = rows.filter((row) => !placed.has(row.rowId)).sort(byLabel)
  return { ranking: { ...ranking, method: RANKING_METHOD }, rows: [...first, ...last] }
}

function byLabel(a: BoardRow, b: BoardRow): number {
  const [left, right] = [
    `${subjectLabel(a.subject)}\n${a.rowId}`,
    `${subjectLabel(b.subject)}\n${b.rowId}`,
  ]
  return left < right ? -1 : left > right ? 1 : 0
}

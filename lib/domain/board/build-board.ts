import { skeleton } from '../eligibility/index.ts'
import type { Digest } from '../record/index.ts'
import type { Board, BoardRow } from './board-row.ts'
import type { BuildBoardInput } from './build-board-input.ts'
import { boardPolicy, buildEligibility, type GroupDecision } from './build-eligibility.ts'
import { buildRow } from './build-row.ts'
import { buildRowGroups } from './build-row-groups.ts'
import { rankBoard } from './rank-board.ts'

/**
 * Builds one suite's leaderboard from its episodes: counted attempts, rates with intervals, eligibility, ranks.
 * Pure and deterministic: the order of the input does not change the canonical JSON. Ranked rows first, then by rate.
 */
export function buildBoard(input: BuildBoardInput): Board {
  const groups = buildRowGroups(input)
  const decisions = buildEligibility(input, groups)
  const rows = decisions.map(({ group, eligibility }) =>
    buildRow(group, eligibility, input.evaluations),
  )
  const { version, thresholds } = boardPolicy(input)
  return {
    schemaVersion: 1,
    suite: describeSuite(input.suite),
    policyVersion: version,
    thresholds,
    ...rankBoard(countSiblings(rows, decisions)),
  }
}

/**
 * Counts on each row the other rows of the same name and model, with the same fault or none, so that a sender who splits
 * results into several rows and shows the best one reveals it.
 */
function countSiblings(rows: readonly BoardRow[], decisions: readonly GroupDecision[]): BoardRow[] {
  const senders = new Map(decisions.map(({ group }) => [group.rowId, group.sender]))
  const subjects = new Map<string, BoardRow[]>()
  const keyOf = ({ subject, settings, recovery }: BoardRow) =>
    JSON.stringify([
      ...[skeleton(subject.name), skeleton(subject.modelRequested ?? '')],
      ...[subject.targeting, settings.fault, recovery !== null],
    ])
  for (const row of rows) subjects.set(keyOf(row), [...(subjects.get(keyOf(row)) ?? []), row])
  return rows.map((row) => {
    const all = subjects.get(keyOf(row)) ?? []
    const own = all.filter(({ rowId }) => senders.get(rowId) === senders.get(row.rowId)).length
    return { ...row, siblings: { own: own - 1, others: all.length - own } }
  })
}

function describeSuite({ suiteId, title, description, digest, tasks }: BuildBoardInput['suite']) {
  const shown = tasks.map((task) => {
    const { taskId, title: taskTitle, category, difficulty, released } = task
    return { taskId, title: taskTitle, category, difficulty, ...(released && { released }) }
  })
  shown.sort((a, b) => (a.taskId < b.taskId ? -1 : 1))
  return { suiteId, title, description, digest: digest as Digest, tasks: shown }
}

import type { Digest } from '../digest.ts'
import type { Board } from './board-row.ts'
import type { BuildBoardInput } from './build-board-input.ts'
import { boardPolicy, buildEligibility } from './build-eligibility.ts'
import { buildRow } from './build-row.ts'
import { buildRowGroups } from './build-row-groups.ts'
import { rankBoard } from './rank-board.ts'

/**
 * One suite's leaderboard out of its episodes: counted attempts, rates with intervals, the gate's decisions, ranks.
 * Pure and deterministic: the same members in any order give the same canonical JSON. Claims first, then by rate.
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

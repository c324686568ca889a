import type { RowTask } from '../board/board-row.ts'
import type { EpisodeFact } from '../board/episode-fact.ts'
import { isScored } from '../outcome.ts'

/** Counts solved, scored and void episodes per task, tasks sorted by id. Cancelled episodes count nowhere. */
export function tallyTasks(facts: readonly Pick<EpisodeFact, 'taskId' | 'status'>[]): RowTask[] {
  const tallies = new Map<string, RowTask>()
  for (const { taskId, status } of facts) {
    const tally = tallies.get(taskId) ?? { taskId, solved: 0, scored: 0, voids: 0 }
    tallies.set(taskId, tally)
    if (status === 'solved') tally.solved++
    if (isScored(status)) tally.scored++
    if (status === 'void') tally.voids++
  }
  return [...tallies.values()].sort((a, b) => (a.taskId < b.taskId ? -1 : 1))
}

import { type EpisodeFact, isScored, type Plan } from '../record/index.ts'
import { compareRounds, largestFamily, MIN_FAMILIES } from '../statistics/index.ts'
import type { BoardRow, RowTask } from './board-row.ts'

/** Rounds are marked below this p-value, which one honest entry in a hundred reaches. */
const MARKED_P = 0.01

/** Finds rounds of repetitions that differ by more than chance; absent = they do not, or there are fewer than two. */
export function findShock(
  counted: readonly EpisodeFact[],
  plans: ReadonlyMap<string, Plan>,
): BoardRow['shock'] {
  const rounds = new Map<string, { tasks: string[]; solved: boolean[] }>()
  for (const { runId, repetition, taskId, status } of counted) {
    if (!isScored(status)) continue
    const size = plans.get(runId)?.arms?.length ?? 1
    const key = `${runId} ${Math.ceil(repetition / size)}`
    const round = rounds.get(key) ?? { tasks: [], solved: [] }
    rounds.set(key, round)
    round.tasks.push(taskId)
    round.solved.push(status === 'solved')
  }
  const found = compareRounds(
    [...rounds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one),
  )
  return found && found.p < MARKED_P ? found : undefined
}

/** Groups the scored tasks of a row into families; absent = no two tasks share one. */
export function describeFamilies(tasks: readonly RowTask[]): BoardRow['families'] {
  const scored = tasks.filter((task) => task.scored > 0)
  const found = largestFamily(scored)
  if (found === null) return undefined
  const { families, family, share } = found
  return {
    count: families,
    unit: families >= MIN_FAMILIES ? 'family' : 'task',
    largest: family,
    share,
  }
}

import { type EpisodeFact, groupBy, isScored, type Plan } from '../record/index.ts'
import { compareRounds, largestFamily, MIN_FAMILIES } from '../statistics/index.ts'
import type { BoardRow, RowTask } from './board-row.ts'

/** Rounds are marked below this p-value, which one honest entry in a hundred reaches. */
const MARKED_P = 0.01

/** Finds rounds of repetitions that differ by more than chance; absent = they do not, or there are fewer than two. */
export function findShock(
  counted: readonly EpisodeFact[],
  plans: ReadonlyMap<string, Plan>,
): BoardRow['shock'] {
  const rounds = new Map<string, Round>()
  for (const [runId, facts] of groupBy(counted, ({ runId }) => runId, isSameRun)) {
    const size = plans.get(runId)?.arms?.length ?? 1
    const own = new Map<number, Round>()
    for (const { repetition, taskId, status } of facts) {
      if (!isScored(status)) continue
      const number = Math.ceil(repetition / size)
      const round = own.get(number) ?? { tasks: [], solved: [] }
      own.set(number, round)
      round.tasks.push(taskId)
      round.solved.push(status === 'solved')
    }
    for (const [number, round] of own) rounds.set(`${runId} ${number}`, round)
  }
  const found = compareRounds(
    [...rounds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one),
  )
  return found && found.p < MARKED_P ? found : undefined
}

type Round = { tasks: string[]; solved: boolean[] }

const isSameRun = (one: EpisodeFact, other: EpisodeFact) => one.runId === other.runId

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

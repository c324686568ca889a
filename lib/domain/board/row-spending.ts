import {
  countEpisodes,
  type EpisodeKind,
  groupBy,
  isScored,
  joinLists,
  sumKnown,
} from '../record/index.ts'
import { costPerSuccess, sampleQuantiles } from '../statistics/index.ts'
import type { BoardRow, RowTask } from './board-row.ts'
import type { RowGroup } from './row-group.ts'
import { buildTaskRecovery } from './row-metrics.ts'
import type { TaskAmounts } from './run-summary.ts'

/** Cost and tokens of all scored episodes, per success. */
export function spending(tasks: readonly TaskAmounts[]) {
  const cost = costPerSuccess(
    tasks.map(({ taskId, solved, costMicroUsd }) => ({ taskId, solved, spent: costMicroUsd })),
  )
  const method = cost.ok ? cost.value.method : ''
  return {
    costPerSuccessMicroUsd: cost.ok ? cost.value.value : null,
    // One task alone gives no bounds.
    costPerSuccessInterval:
      cost.ok && cost.value.tasks > 1
        ? { lowMicroUsd: cost.value.low, highMicroUsd: cost.value.high, method }
        : null,
    tokensPerSuccess: tokensPerSuccess(tasks),
  }
}

/** Mean times, tokens, cost and steps of an episode. */
export function rawFigures(tasks: readonly TaskAmounts[]): BoardRow['raw'] {
  const scored = tasks.reduce((sum, { subjectMs }) => sum + subjectMs.length, 0)
  const times = sampleQuantiles(knownTimes(joinLists(tasks.map(({ subjectMs }) => subjectMs))))
  const mean = (sums: readonly (number | null)[]) => {
    // Null unless all values are known: a mean over some of them would be biased.
    const sum = sumKnown(sums)
    return sum === null || scored === 0 ? null : sum / scored
  }
  return {
    subjectMs: { p50: times(0.5), p95: times(0.95) },
    tokensPerEpisode: mean(tasks.map(({ tokens }) => tokens)),
    costPerEpisodeMicroUsd: mean(tasks.map(({ costMicroUsd }) => costMicroUsd)),
    stepsPerEpisode: mean(tasks.map(({ steps }) => steps)),
  }
}

/** Empty unless all are known. */
export function knownTimes(all: readonly (number | null)[]): readonly number[] {
  return isKnown(all) ? all : []
}

function isKnown(all: readonly (number | null)[]): all is readonly number[] {
  return !all.includes(null)
}

function tokensPerSuccess(tasks: readonly TaskAmounts[]): number | null {
  const solved = tasks.reduce((sum, task) => sum + task.solved, 0)
  const spent = sumKnown(tasks.map(({ tokens }) => tokens))
  return solved === 0 || spent === null ? null : spent / solved
}

/** Adds the spending of its scored episodes to each task's counts and, in a stress row, the outcome of the faults. */
export function buildRowTasks({ tallies, kinds, amounts, counted }: RowGroup): RowTask[] {
  const scored = kinds.filter(({ fact }) => isScored(fact.status))
  const byTask = groupBy(scored, ({ fact }) => fact.taskId)
  const spent = new Map(amounts.map((task) => [task.taskId, spentOn(task)]))
  const isBrowser = scored.some(({ fact }) => fact.browser)
  const episodes = groupBy(isBrowser ? counted : [], ({ taskId }) => taskId)
  return tallies.map((tally) => {
    const { taskId } = tally
    const faults = faultsOf(byTask.get(taskId) ?? [])
    const recovery = buildTaskRecovery(episodes.get(taskId) ?? [])
    return {
      ...tally,
      spent: spent.get(taskId) ?? NOTHING,
      ...(faults ? { faults } : {}),
      ...(recovery ? { recovery } : {}),
    }
  })
}

/** Amounts of a task without scored episodes. */
const NOTHING: NonNullable<RowTask['spent']> = {
  subjectMs: 0,
  tokens: 0,
  costMicroUsd: 0,
  solvedCostMicroUsd: 0,
  solvedP50Ms: null,
}

function spentOn(task: TaskAmounts): NonNullable<RowTask['spent']> {
  const { subjectMs, tokens, costMicroUsd, solvedCostMicroUsd, solvedMs } = task
  return {
    subjectMs: sumKnown(subjectMs),
    tokens,
    costMicroUsd,
    solvedCostMicroUsd,
    solvedP50Ms: sampleQuantiles(knownTimes(solvedMs))(0.5),
  }
}

/** Counts planned faults that fired and those recovered from; undefined = none was planned. */
export function faultsOf(kinds: readonly EpisodeKind[]): RowTask['faults'] {
  const planned = kinds.filter(({ fact }) => fact.fault !== null)
  if (planned.length === 0) return undefined
  const fired = planned.filter(({ fact }) => fact.fault?.fired)
  const recovered = fired.filter(({ fact }) => fact.fault?.recovered)
  return { fired: countEpisodes(fired), recovered: countEpisodes(recovered) }
}

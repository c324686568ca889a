import { type EpisodeFact, groupBy, isScored, sumKnown } from '../record/index.ts'
import { costPerSuccess, sampleQuantiles, type TaskSpending } from '../statistics/index.ts'
import type { BoardRow, RowTask } from './board-row.ts'
import { buildTaskRecovery } from './row-metrics.ts'

/** Cost and tokens of all scored episodes, per success. */
export function spending(counted: readonly EpisodeFact[]) {
  const cost = costPerSuccess(spendingByTask(counted, (fact) => fact.costMicroUsd))
  const tokens = spendingByTask(counted, (fact) => fact.tokens)
  const method = cost.ok ? cost.value.method : ''
  return {
    costPerSuccessMicroUsd: cost.ok ? cost.value.value : null,
    // One task alone gives no bounds.
    costPerSuccessInterval:
      cost.ok && cost.value.tasks > 1
        ? { lowMicroUsd: cost.value.low, highMicroUsd: cost.value.high, method }
        : null,
    tokensPerSuccess: perSuccess(tokens),
  }
}

/** Mean times, tokens, cost and steps of an episode. */
export function rawFigures(counted: readonly EpisodeFact[]): BoardRow['raw'] {
  const scored = counted.filter(({ status }) => isScored(status))
  const times = sampleQuantiles(timesOf(scored))
  const mean = (values: readonly (number | null)[]) => {
    // Null unless all values are known: a mean over some of them would be biased.
    const sum = sumKnown(values)
    return sum === null || scored.length === 0 ? null : sum / scored.length
  }
  return {
    subjectMs: { p50: times(0.5), p95: times(0.95) },
    tokensPerEpisode: mean(scored.map(({ tokens }) => tokens)),
    costPerEpisodeMicroUsd: mean(scored.map(({ costMicroUsd }) => costMicroUsd)),
    stepsPerEpisode: mean(scored.map(({ steps }) => steps)),
  }
}

/** The subject's own times; empty unless all are known. */
export function timesOf(facts: readonly EpisodeFact[]): number[] {
  const times = facts.map(({ subjectMs }) => subjectMs).filter((time) => time !== null)
  return times.length === facts.length ? times : []
}

function perSuccess(tasks: readonly TaskSpending[]): number | null {
  const solved = tasks.reduce((sum, task) => sum + task.solved, 0)
  const spent = tasks.reduce<number | null>((sum, task) => add(sum, task.spent), 0)
  return solved === 0 || spent === null ? null : spent / solved
}

/** Groups by task, in order of appearance. */
function spendingByTask(
  counted: readonly EpisodeFact[],
  spent: (fact: EpisodeFact) => number | null,
): TaskSpending[] {
  const tasks = new Map<string, TaskSpending>()
  for (const fact of counted) {
    if (!isScored(fact.status)) continue
    const { taskId, status } = fact
    const task = tasks.get(taskId) ?? { taskId, spent: 0, solved: 0 }
    tasks.set(taskId, task)
    task.spent = add(task.spent, spent(fact))
    if (status === 'solved') task.solved++
  }
  return [...tasks.values()]
}

/** Null if either is unknown. */
function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

/** Adds the spending of its scored episodes to each task's counts and, in a stress row, the outcome of the faults. */
export function buildRowTasks(
  tallies: readonly RowTask[],
  counted: readonly EpisodeFact[],
): RowTask[] {
  const scored = counted.filter(({ status }) => isScored(status))
  const byTask = groupBy(scored, ({ taskId }) => taskId)
  return tallies.map((tally) => {
    const own = byTask.get(tally.taskId) ?? []
    const faults = faultsOf(own.flatMap(({ fault }) => fault ?? []))
    const recovery = buildTaskRecovery(own)
    return {
      ...tally,
      spent: spentOn(own),
      ...(faults ? { faults } : {}),
      ...(recovery ? { recovery } : {}),
    }
  })
}

function spentOn(facts: readonly EpisodeFact[]): NonNullable<RowTask['spent']> {
  const solved = facts.filter(({ status }) => status === 'solved')
  return {
    subjectMs: sumKnown(facts.map(({ subjectMs }) => subjectMs)),
    tokens: sumKnown(facts.map(({ tokens }) => tokens)),
    costMicroUsd: sumKnown(facts.map(({ costMicroUsd }) => costMicroUsd)),
    solvedCostMicroUsd: sumKnown(solved.map(({ costMicroUsd }) => costMicroUsd)),
    solvedP50Ms: medianKnown(solved.map(({ subjectMs }) => subjectMs)),
  }
}

/** Null unless all are known, like the times of a row. */
function medianKnown(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === times.length ? sampleQuantiles(known)(0.5) : null
}

function faultsOf(faults: readonly NonNullable<EpisodeFact['fault']>[]): RowTask['faults'] {
  if (faults.length === 0) return undefined
  const fired = faults.filter((fault) => fault.fired)
  return { fired: fired.length, recovered: fired.filter((fault) => fault.recovered).length }
}

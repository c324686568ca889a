import {
  concatLists,
  type EpisodeFact,
  filterInParts,
  inParts,
  isScored,
  sumKnown,
} from '../record/index.ts'
import { costPerSuccess, sampleQuantiles, type TaskSpending } from '../statistics/index.ts'
import type { BoardRow, RowTask } from './board-row.ts'
import { buildTaskRecovery } from './row-metrics.ts'

/** Cost and tokens of all scored episodes, per success. */
export function spending(counted: readonly EpisodeFact[]) {
  const parts = spendParts(counted)
  const cost = costPerSuccess(joinSpending(parts.map((part) => part.cost)))
  const tokens = joinSpending(parts.map((part) => part.tokens))
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
  const scored = scoredOf(counted)
  const times = sampleQuantiles(timesOf(scored))
  const sums = sumParts(scored)
  const mean = (part: 'tokens' | 'cost' | 'steps') => {
    // Null unless all values are known: a mean over some of them would be biased.
    const sum = sums.reduce<number | null>((all, one) => add(all, one[part]), 0)
    return sum === null || scored.length === 0 ? null : sum / scored.length
  }
  return {
    subjectMs: { p50: times(0.5), p95: times(0.95) },
    tokensPerEpisode: mean('tokens'),
    costPerEpisodeMicroUsd: mean('cost'),
    stepsPerEpisode: mean('steps'),
  }
}

/** Integers, whose sum does not depend on how they are grouped. */
const sumParts = inParts((facts: readonly EpisodeFact[]) => ({
  tokens: sumKnown(facts.map(({ tokens }) => tokens)),
  cost: sumKnown(facts.map(({ costMicroUsd }) => costMicroUsd)),
  steps: sumKnown(facts.map(({ steps }) => steps)),
}))

/** The subject's own times; empty unless all are known. */
export function timesOf(facts: readonly EpisodeFact[]): number[] {
  const times = concatLists(timesInParts(facts))
  return times.length === facts.length ? times : []
}

const timesInParts = inParts((facts: readonly EpisodeFact[]) =>
  facts.flatMap(({ subjectMs }) => subjectMs ?? []),
)

function perSuccess(tasks: readonly TaskSpending[]): number | null {
  const solved = tasks.reduce((sum, task) => sum + task.solved, 0)
  const spent = tasks.reduce<number | null>((sum, task) => add(sum, task.spent), 0)
  return solved === 0 || spent === null ? null : spent / solved
}

const spendParts = inParts((counted: readonly EpisodeFact[]) => ({
  cost: spendingByTask(counted, (fact) => fact.costMicroUsd),
  tokens: spendingByTask(counted, (fact) => fact.tokens),
}))

function spendingByTask(
  counted: readonly EpisodeFact[],
  spent: (fact: EpisodeFact) => number | null,
): TaskSpending[] {
  const own = counted.flatMap((fact) =>
    isScored(fact.status)
      ? { taskId: fact.taskId, spent: spent(fact), solved: Number(fact.status === 'solved') }
      : [],
  )
  return joinSpending([own])
}

/** Groups by task, in order of appearance. */
function joinSpending(parts: readonly (readonly TaskSpending[])[]): TaskSpending[] {
  const tasks = new Map<string, TaskSpending>()
  for (const { taskId, spent, solved } of parts.flat()) {
    const task = tasks.get(taskId)
    if (task === undefined) tasks.set(taskId, { taskId, spent, solved })
    else {
      task.spent = add(task.spent, spent)
      task.solved += solved
    }
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
  const parts = tasksInParts(counted)
  return tallies.map((tally) => {
    const own = parts.flatMap((part) => part.get(tally.taskId) ?? [])
    const faults = faultsOf(own.flatMap((part) => part.faults))
    const recovery = buildTaskRecovery(own.flatMap((part) => part.browser))
    return {
      ...tally,
      spent: joinSpent(own),
      ...(faults ? { faults } : {}),
      ...(recovery ? { recovery } : {}),
    }
  })
}

/** The scored episodes of each task. */
const tasksInParts = inParts((counted: readonly EpisodeFact[]) => {
  const scored = new Map<string, EpisodeFact[]>()
  for (const fact of counted) {
    if (!isScored(fact.status)) continue
    const known = scored.get(fact.taskId)
    if (known) known.push(fact)
    else scored.set(fact.taskId, [fact])
  }
  return new Map([...scored].map(([taskId, facts]) => [taskId, summariseTask(facts)]))
})

function summariseTask(facts: readonly EpisodeFact[]) {
  const solved = facts.filter(({ status }) => status === 'solved')
  return {
    times: facts.map((fact) => fact.subjectMs),
    solvedTimes: solved.map((fact) => fact.subjectMs),
    tokens: sumKnown(facts.map((fact) => fact.tokens)),
    cost: sumKnown(facts.map((fact) => fact.costMicroUsd)),
    solvedCost: sumKnown(solved.map((fact) => fact.costMicroUsd)),
    faults: facts.flatMap(({ fault }) => fault ?? []),
    browser: facts.filter(({ browser }) => browser !== undefined),
  }
}

function joinSpent(
  parts: readonly ReturnType<typeof summariseTask>[],
): NonNullable<RowTask['spent']> {
  return {
    // Fractions, added one by one in order, so that the sum does not depend on how they are grouped.
    subjectMs: sumKnown(concatLists(parts.map(({ times }) => times))),
    tokens: sumKnown(parts.map(({ tokens }) => tokens)),
    costMicroUsd: sumKnown(parts.map(({ cost }) => cost)),
    solvedCostMicroUsd: sumKnown(parts.map(({ solvedCost }) => solvedCost)),
    solvedP50Ms: medianKnown(concatLists(parts.map(({ solvedTimes }) => solvedTimes))),
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

const scoredOf = filterInParts(({ status }: EpisodeFact) => isScored(status))

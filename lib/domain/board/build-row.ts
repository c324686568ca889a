import {
  buildEvaluatedHere,
  type Eligibility,
  type EvaluationState,
  isLlmDriven,
} from '../eligibility/index.ts'
import {
  type EpisodeFact,
  isScored,
  modeSchema,
  NEAR_KEYS,
  PROVENANCE_LEVELS,
  sumKnown,
} from '../record/index.ts'
import {
  costPerSuccess,
  countTasks,
  leaveCategoryOut,
  leaveTaskOut,
  reliabilityCurve,
  sampleQuantile,
  type TaskSpending,
  voidSensitivity,
} from '../statistics/index.ts'
import type { BoardRow, Mixed, RowTask } from './board-row.ts'
import { buildLooks } from './build-looks.ts'
import type { RowGroup } from './build-row-groups.ts'
import { buildDistributions, buildFailures } from './row-distributions.ts'
import { buildBrowserMetrics, buildGradingMetrics, buildTaskRecovery } from './row-metrics.ts'
import { successRate } from './success-rate.ts'

/**
 * Computes one row's metrics from its counted episodes, without its rank. Times and costs are success-weighted: durations
 * are the subject's own time in solved episodes; cost and tokens are the total of all scored episodes per success.
 */
export function buildRow(
  group: RowGroup,
  { label, refusals }: Eligibility,
  evaluations?: ReadonlyMap<string, EvaluationState>,
): BoardRow {
  const { counted, tallies, planned, identity, replacedVoids } = group
  const solved = timesOf(counted.filter((fact) => fact.status === 'solved'))
  const perTask = tallies.map((tally) => tally.scored)
  const starts = startsOf(counted)
  const sensitivity = voidSensitivity(countTasks([...counted, ...replacedVoids.map(asVoid)]))
  const looks = buildLooks({ ...group, arm: identity.subject.arm })
  const levels = new Set(counted.map((fact) => PROVENANCE_LEVELS.indexOf(fact.provenance)))
  return {
    rowId: group.rowId,
    ...identity,
    modes: modeSchema.options.filter((mode) => counted.some((fact) => fact.mode === mode)),
    label,
    refusals,
    driven: counted.some(isLlmDriven) ? 'llm' : 'scripted',
    rank: null,
    success: successRate(tallies, looks?.confidence),
    repetitions: { least: Math.min(...perTask), most: Math.max(...perTask) },
    plannedEpisodes: planned.length || counted.length,
    ...sensitivityOf(group, looks?.confidence),
    voidAttempts: voidsOf(group),
    voidSensitivity: sensitivity.ok ? sensitivity.value : null,
    solvedMs: { p50: sampleQuantile(solved, 0.5), p95: sampleQuantile(solved, 0.95) },
    ...spending(counted),
    raw: rawFigures(counted),
    distributions: buildDistributions(counted),
    failures: buildFailures(counted),
    recovery: recoveryOf(counted),
    provenance: PROVENANCE_LEVELS[Math.min(...levels)] ?? 'manual',
    ...voucherOf(group),
    ...optional({
      looks,
      aliases: group.aliases.length > 0 ? group.aliases : undefined,
      browser: buildBrowserMetrics(counted) ?? undefined,
      grading: buildGradingMetrics(counted) ?? undefined,
      evaluatedHere: evaluations && buildEvaluatedHere(counted, evaluations),
      registration: group.registration ?? undefined,
      mixed: listMixed(counted),
      activation: activationOf(counted),
    }),
    planPolicies: listPolicies(group),
    tasks: buildRowTasks(tallies, counted),
    runIds: [...new Set(counted.map((fact) => fact.runId))].sort(),
    firstStartedAt: starts.first,
    lastStartedAt: starts.last,
  }
}

function startsOf(counted: readonly EpisodeFact[]): { first: string; last: string } {
  const some = counted[0]?.startedAt ?? ''
  let [first, last] = [some, some]
  for (const { startedAt } of counted) {
    if (startedAt < first) first = startedAt
    if (startedAt > last) last = startedAt
  }
  return { first, last }
}

/** Reliability of the rate: over repeated attempts of a task, and with any one task or category left out. */
function sensitivityOf(
  { tallies, counted }: RowGroup,
  confidence?: number,
): Pick<BoardRow, 'reliability' | 'leaveOneOut'> {
  const curve = reliabilityCurve(tallies, confidence)
  const categories = new Map(counted.map(({ taskId, category }) => [taskId, category]))
  return {
    reliability: curve.ok ? curve.value : null,
    leaveOneOut: {
      task: leaveTaskOut(tallies),
      category: leaveCategoryOut(tallies, (taskId) => categories.get(taskId) ?? ''),
    },
  }
}

/** Empty members are left out, because rows are compared and digested as JSON. */
function optional<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const said = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

function listMixed(counted: readonly EpisodeFact[]): BoardRow['mixed'] {
  const mixed = findMixed(counted)
  return mixed.length > 0 ? mixed : undefined
}

function voucherOf({ counted, sender }: RowGroup): Pick<BoardRow, 'voucher'> {
  if (sender === null) return { voucher: null }
  const voucher = counted.find((fact) => fact.voucher !== undefined)?.voucher
  return voucher === undefined ? {} : { voucher }
}

function listPolicies({ plans }: RowGroup): number[] {
  const versions = new Set([...plans.values()].map(({ policyVersion }) => policyVersion))
  return [...versions].sort((a, b) => a - b)
}

/** A retried attempt may have been a failure or a success, like any other void attempt. */
function asVoid({ taskId }: EpisodeFact) {
  return { taskId, status: 'void' as const }
}

function voidsOf({ counted, replacedVoids }: RowGroup): number {
  return replacedVoids.length + counted.filter(({ status }) => status === 'void').length
}

function spending(counted: readonly EpisodeFact[]) {
  const cost = costPerSuccess(spendingByTask(counted, (fact) => fact.costMicroUsd))
  const tokens = spendingByTask(counted, (fact) => fact.tokens)
  const method = cost.ok ? cost.value.method : ''
  return {
    costPerSuccessMicroUsd: cost.ok ? cost.value.value : null,
    costPerSuccessInterval: cost.ok
      ? { lowMicroUsd: cost.value.low, highMicroUsd: cost.value.high, method }
      : null,
    tokensPerSuccess: perSuccess(tokens),
  }
}

function rawFigures(counted: readonly EpisodeFact[]): BoardRow['raw'] {
  const scored = counted.filter(({ status }) => isScored(status))
  const times = timesOf(scored)
  return {
    subjectMs: { p50: sampleQuantile(times, 0.5), p95: sampleQuantile(times, 0.95) },
    tokensPerEpisode: meanOf(scored.map((fact) => fact.tokens)),
    costPerEpisodeMicroUsd: meanOf(scored.map((fact) => fact.costMicroUsd)),
    stepsPerEpisode: meanOf(scored.map((fact) => fact.steps)),
  }
}

/** The subject's own times; empty unless all are known. */
function timesOf(facts: readonly EpisodeFact[]): number[] {
  const times = facts.flatMap(({ subjectMs }) => subjectMs ?? [])
  return times.length === facts.length ? times : []
}

/** Of the scored episodes, those in which the arm's content was seen; absent where it has none that could be. */
function activationOf(counted: readonly EpisodeFact[]): BoardRow['activation'] {
  const scored = counted.filter(({ status }) => isScored(status))
  const seen = scored.flatMap(({ activation }) => activation ?? [])
  if (seen.length === 0) return undefined
  const count = (part: 'offered' | 'used') => ({
    yes: seen.filter((one) => one[part] === true).length,
    known: seen.filter((one) => one[part] !== null).length,
  })
  return { episodes: scored.length, offered: count('offered'), used: count('used') }
}

/** Null unless all values are known: a mean over some of them would be biased. */
function meanOf(values: readonly (number | null)[]): number | null {
  const sum = values.reduce(add, 0)
  return sum === null || values.length === 0 ? null : sum / values.length
}

function recoveryOf(counted: readonly EpisodeFact[]): BoardRow['recovery'] {
  const faults = counted.flatMap(({ fault, status }) => (fault && isScored(status) ? [fault] : []))
  if (faults.length === 0) return null
  const fired = faults.filter((fault) => fault.fired)
  return { fired: fired.length, recovered: fired.filter((fault) => fault.recovered).length }
}

function perSuccess(tasks: readonly TaskSpending[]): number | null {
  const solved = tasks.reduce((sum, task) => sum + task.solved, 0)
  const spent = tasks.reduce<number | null>((sum, task) => add(sum, task.spent), 0)
  return solved === 0 || spent === null ? null : spent / solved
}

function spendingByTask(
  counted: readonly EpisodeFact[],
  spent: (fact: EpisodeFact) => number | null,
): TaskSpending[] {
  const tasks = new Map<string, TaskSpending>()
  for (const fact of counted.filter(({ status }) => isScored(status))) {
    const task = tasks.get(fact.taskId) ?? { taskId: fact.taskId, spent: 0, solved: 0 }
    tasks.set(fact.taskId, task)
    task.spent = add(task.spent, spent(fact))
    if (fact.status === 'solved') task.solved++
  }
  return [...tasks.values()]
}

/** Null if either is unknown. */
function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

/** Adds the spending of its scored episodes to each task's counts and, in a stress row, the outcome of the faults. */
function buildRowTasks(tallies: readonly RowTask[], counted: readonly EpisodeFact[]): RowTask[] {
  const scored = new Map<string, EpisodeFact[]>(tallies.map(({ taskId }) => [taskId, []]))
  for (const fact of counted) if (isScored(fact.status)) scored.get(fact.taskId)?.push(fact)
  return tallies.map((tally) => {
    const facts = scored.get(tally.taskId) ?? []
    const faults = faultsOf(facts)
    const recovery = buildTaskRecovery(facts)
    return {
      ...tally,
      spent: spentOf(facts),
      ...(faults ? { faults } : {}),
      ...(recovery ? { recovery } : {}),
    }
  })
}

function spentOf(facts: readonly EpisodeFact[]): NonNullable<RowTask['spent']> {
  const solved = facts.filter(({ status }) => status === 'solved')
  return {
    subjectMs: sumKnown(facts.map((fact) => fact.subjectMs)),
    tokens: sumKnown(facts.map((fact) => fact.tokens)),
    costMicroUsd: sumKnown(facts.map((fact) => fact.costMicroUsd)),
    solvedCostMicroUsd: sumKnown(solved.map((fact) => fact.costMicroUsd)),
  }
}

function faultsOf(facts: readonly EpisodeFact[]): RowTask['faults'] {
  const faults = facts.flatMap(({ fault }) => fault ?? [])
  if (faults.length === 0) return undefined
  const fired = faults.filter((fault) => fault.fired)
  return { fired: fired.length, recovered: fired.filter((fault) => fault.recovered).length }
}

const MOST_VALUES = 8

/**
 * Properties that differ between the episodes of one row: machine, system, compiler, verifier, limits. They stay in one
 * row, because a sender whose shards ran on two machines could otherwise choose the better half; the row lists what is
 * mixed. Unrecorded values do not count as a difference.
 */
export function findMixed(facts: readonly EpisodeFact[]): Mixed[] {
  const values = new Map<string, Set<string>>()
  let last: EpisodeFact | undefined
  for (const fact of facts) {
    // Neighbours nearly always have all of it in common.
    const isLike =
      fact.settings === last?.settings &&
      fact.origin?.machine === last.origin?.machine &&
      fact.origin?.harness === last.origin?.harness
    for (const [what, value] of isLike ? [] : describe(fact)) {
      const known = values.get(what) ?? new Set()
      values.set(what, known.add(value))
    }
    last = fact
  }
  return [...values]
    .filter(([, known]) => known.size > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, known]) => ({ what, values: shorten([...known].sort()) }))
}

function describe({ origin, settings }: EpisodeFact): [what: string, value: string][] {
  const { version, commit } = origin?.harness ?? {}
  return [
    ...Object.entries(origin?.machine ?? {}),
    ...(version ? [['harness', `${version} ${commit?.slice(0, 8) ?? ''}`.trim()] as const] : []),
    ...NEAR_KEYS.map((key) => [key, String(settings[key] ?? 'none')] as const),
  ].map(([what, value]) => [what, value])
}

function shorten(values: string[]): string[] {
  if (values.length <= MOST_VALUES) return values
  return [...values.slice(0, MOST_VALUES - 1), `and ${values.length - MOST_VALUES + 1} more`]
}

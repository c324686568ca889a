import { buildEvaluatedHere, type Eligibility, type EvaluationState } from '../eligibility/index.ts'
import {
  drivenOf,
  type EpisodeFact,
  filterInParts,
  inParts,
  isScored,
  listArmParts,
  modeSchema,
  NEAR_KEYS,
  PROVENANCE_LEVELS,
} from '../record/index.ts'
import {
  leaveCategoryOut,
  leaveTaskOut,
  reliabilityCurve,
  sampleQuantiles,
  voidSensitivity,
} from '../statistics/index.ts'
import type { BoardRow, Mixed } from './board-row.ts'
import { buildLooks, runIdsOf } from './build-looks.ts'
import { correctionsOf } from './find-corrected.ts'
import { shareModels } from './model-shares.ts'
import { overallOf } from './overall-success.ts'
import { buildDistributions, buildFailures } from './row-distributions.ts'
import type { RowGroup } from './row-group.ts'
import { buildBrowserMetrics, buildGradingMetrics } from './row-metrics.ts'
import { describeFamilies, findShock } from './row-samples.ts'
import { buildRowTasks, rawFigures, spending, timesOf } from './row-spending.ts'
import { successRate } from './success-rate.ts'

/**
 * Computes one row's metrics from its counted episodes, without its rank. Times and costs are success-weighted: durations
 * are the subject's own time in solved episodes; cost and tokens are the total of all scored episodes per success.
 */
export function buildRow(
  group: RowGroup,
  { label, refusals, acceptedLibrary }: Eligibility,
  evaluations?: ReadonlyMap<string, EvaluationState>,
): BoardRow {
  const { counted, tallies, planned, identity } = group
  const solved = sampleQuantiles(timesOf(solvedOf(counted)))
  const perTask = tallies.map((tally) => tally.scored)
  const starts = startsOf(counted)
  const sensitivity = voidSensitivity(tallies)
  const { arm } = identity.subject
  const looks = buildLooks({ ...group, removed: group.corrected?.removed ?? [], arm })
  const modes = new Set(modesOf(counted).flat())
  return {
    rowId: group.rowId,
    ...identity,
    modes: modeSchema.options.filter((mode) => modes.has(mode)),
    label,
    refusals,
    driven: drivenOf(counted).length > 0 ? 'llm' : 'scripted',
    rank: null,
    success: successRate(tallies, looks?.confidence),
    repetitions: { least: Math.min(...perTask), most: Math.max(...perTask) },
    plannedEpisodes: planned.length || counted.length,
    ...sensitivityOf(group, looks?.confidence),
    voidAttempts: voidsOf(group),
    overall: overallOf(counted),
    voidSensitivity: sensitivity.ok ? sensitivity.value : null,
    solvedMs: { p50: solved(0.5), p95: solved(0.95) },
    ...spending(counted),
    raw: rawFigures(counted),
    distributions: buildDistributions(counted),
    failures: buildFailures(counted),
    recovery: recoveryOf(counted),
    provenance: PROVENANCE_LEVELS[Math.min(...levelsOf(counted).flat())] ?? 'manual',
    ...voucherOf(group),
    ...optional({
      looks,
      stop: group.stopped[0]?.decision,
      stops:
        group.stopped.length > 0
          ? group.stopped.map(({ runId, decision }) => ({ runId, ...decision }))
          : undefined,
      unsentSlots: group.unsent.length || undefined,
      cancelledAttempts: describeCancelled(group),
      aliases: group.aliases.length > 0 ? group.aliases : undefined,
      browser: buildBrowserMetrics(counted) ?? undefined,
      grading: buildGradingMetrics(counted) ?? undefined,
      evaluatedHere: evaluations && buildEvaluatedHere(counted, evaluations),
      registration: group.registration ?? undefined,
      mixed: listMixed(counted),
      givenPrices: givenPricesOf(counted),
      modelShares: shareModels(counted),
      implausibleUsage: implausibleOf(counted),
      activation: activationOf(counted),
      armParts: armPartsOf(group),
      acceptedLibrary,
      corrections: correctionsOf(group.corrected),
      families: describeFamilies(tallies),
      shock: findShock(counted, group.plans),
    }),
    planPolicies: listPolicies(group),
    tasks: buildRowTasks(tallies, counted),
    runIds: runIdsOf(counted).sort(),
    firstStartedAt: starts.first,
    lastStartedAt: starts.last,
  }
}

const solvedOf = filterInParts(({ status }: EpisodeFact) => status === 'solved')
const scoredOf = filterInParts(({ status }: EpisodeFact) => isScored(status))
const modesOf = inParts((facts: readonly EpisodeFact[]) => [
  ...new Set(facts.map(({ mode }) => mode)),
])
const levelsOf = inParts((facts: readonly EpisodeFact[]) => [
  ...new Set(facts.map(({ provenance }) => PROVENANCE_LEVELS.indexOf(provenance))),
])

function startsOf(counted: readonly EpisodeFact[]): { first: string; last: string } {
  return spanOf(spansOf(counted).flatMap(({ first, last }) => [first, last]))
}

const spansOf = inParts((facts: readonly EpisodeFact[]) =>
  spanOf(facts.map(({ startedAt }) => startedAt)),
)

function spanOf(times: readonly string[]): { first: string; last: string } {
  const some = times[0] ?? ''
  let [first, last] = [some, some]
  for (const startedAt of times) {
    if (startedAt < first) first = startedAt
    if (startedAt > last) last = startedAt
  }
  return { first, last }
}

/** Sensitivity of the rate: over repeated attempts of a task, and with any one task or category left out. */
function sensitivityOf(
  { tallies, counted }: RowGroup,
  confidence?: number,
): Pick<BoardRow, 'reliability' | 'leaveOneOut'> {
  const curve = reliabilityCurve(tallies, confidence)
  const categories = new Map(categoriesOf(counted).flatMap((own) => [...own]))
  return {
    reliability: curve.ok ? curve.value : null,
    leaveOneOut: {
      task: leaveTaskOut(tallies),
      category: leaveCategoryOut(tallies, (taskId) => categories.get(taskId) ?? ''),
    },
  }
}

const categoriesOf = inParts(
  (facts: readonly EpisodeFact[]) =>
    new Map(facts.map(({ taskId, category }) => [taskId, category])),
)

/** Empty members are left out, because rows are compared and digested as JSON. */
function optional<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const said = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

function listMixed(counted: readonly EpisodeFact[]): BoardRow['mixed'] {
  const mixed = findMixed(counted)
  return mixed.length > 0 ? mixed : undefined
}

function givenPricesOf(counted: readonly EpisodeFact[]): BoardRow['givenPrices'] {
  const given = new Set(pricesOf(counted).flat())
  return given.size > 0 ? [...given].sort() : undefined
}

const pricesOf = inParts((facts: readonly EpisodeFact[]) => [
  ...new Set(facts.flatMap(({ settings }) => settings.price ?? [])),
])

function implausibleOf(counted: readonly EpisodeFact[]): BoardRow['implausibleUsage'] {
  const calls = implausibleCalls(counted).flat()
  if (calls.length === 0) return undefined
  return { calls: calls.reduce((sum, one) => sum + one, 0), episodes: calls.length }
}

const implausibleCalls = inParts((facts: readonly EpisodeFact[]) =>
  facts.flatMap(({ implausibleCalls: calls = 0 }) => (calls > 0 ? [calls] : [])),
)

function voucherOf({ counted, sender }: RowGroup): Pick<BoardRow, 'voucher'> {
  if (sender === null) return { voucher: null }
  const [voucher] = vouchersOf(counted).flat()
  return voucher === undefined ? {} : { voucher }
}

const vouchersOf = inParts((facts: readonly EpisodeFact[]) => [
  ...new Set(facts.flatMap(({ voucher }) => voucher ?? [])),
])

function armPartsOf({ identity, plans }: RowGroup): BoardRow['armParts'] {
  const { armDigest } = identity.subject
  if (armDigest === undefined) return undefined
  const arms = [...plans.values()].flatMap((plan) => plan.arms ?? [])
  const arm = arms.find(({ digest }) => digest === armDigest)
  const parts = arm ? listArmParts(arm) : []
  return parts.length > 0 ? parts : undefined
}

function listPolicies({ plans }: RowGroup): number[] {
  const versions = new Set([...plans.values()].map(({ policyVersion }) => policyVersion))
  return [...versions].sort((a, b) => a - b)
}

function voidsOf({ counted, replacedVoids }: RowGroup): number {
  return replacedVoids.length + voidOnes(counted).length
}

/**
 * Attempts that were cancelled and run again. If they count as failed, the tallies have more scored attempts than
 * episodes.
 */
function describeCancelled({
  counted,
  cancelled,
  tallies,
}: RowGroup): BoardRow['cancelledAttempts'] {
  if (cancelled.length === 0) return undefined
  const scored = tallies.reduce((sum, tally) => sum + tally.scored, 0)
  return { attempts: cancelled.length, countAsFailed: scored > scoredOf(counted).length }
}

const voidOnes = filterInParts(({ status }: EpisodeFact) => status === 'void')

/** Counts the scored episodes in which the arm's content was observed; absent if none of it is observable. */
export function activationOf(counted: readonly EpisodeFact[]): BoardRow['activation'] {
  const scored = scoredOf(counted)
  const seen = activationsOf(scored).flat()
  if (seen.length === 0) return undefined
  const count = (part: 'offered' | 'used') => ({
    yes: seen.filter((one) => one[part] === true).length,
    known: seen.filter((one) => one[part] !== null).length,
  })
  return { episodes: scored.length, offered: count('offered'), used: count('used') }
}

const activationsOf = inParts((facts: readonly EpisodeFact[]) =>
  facts.flatMap(({ activation }) => activation ?? []),
)

const faultsInParts = inParts((facts: readonly EpisodeFact[]) =>
  facts.flatMap(({ fault, status }) => (fault && isScored(status) ? [fault] : [])),
)

function recoveryOf(counted: readonly EpisodeFact[]): BoardRow['recovery'] {
  const faults = faultsInParts(counted).flat()
  if (faults.length === 0) return null
  const fired = faults.filter((fault) => fault.fired)
  return { fired: fired.length, recovered: fired.filter((fault) => fault.recovered).length }
}

const MAX_VALUES = 8

/**
 * Properties that differ between the episodes of one row: machine, system, compiler, verifier, limits, price. They stay in one
 * row, because a sender whose shards ran on two machines could otherwise choose the better half; the row lists what is
 * mixed. Unrecorded values do not count as a difference.
 */
export function findMixed(facts: readonly EpisodeFact[]): Mixed[] {
  const values = new Map<string, Set<string>>()
  for (const part of describeParts(facts))
    for (const [what, some] of part) {
      const known = values.get(what)
      if (known === undefined) values.set(what, new Set(some))
      else for (const value of some) known.add(value)
    }
  return [...values]
    .filter(([, known]) => known.size > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, known]) => ({ what, values: shorten([...known].sort()) }))
}

const describeParts = inParts((facts: readonly EpisodeFact[]) => {
  const values = new Map<string, Set<string>>()
  let last: EpisodeFact | undefined
  for (const fact of facts) {
    // Neighbours nearly always share all of these.
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
  return values
})

function describe({ origin, settings }: EpisodeFact): [what: string, value: string][] {
  const { version, commit } = origin?.harness ?? {}
  return [
    ...Object.entries(origin?.machine ?? {}),
    ...(version ? [['harness', `${version} ${commit?.slice(0, 8) ?? ''}`.trim()] as const] : []),
    ['price', settings.price ?? 'not given'] as const,
    ...NEAR_KEYS.map((key) => [key, String(settings[key] ?? 'none')] as const),
  ].map(([what, value]) => [what, value])
}

function shorten(values: string[]): string[] {
  if (values.length <= MAX_VALUES) return values
  return [...values.slice(0, MAX_VALUES - 1), `and ${values.length - MAX_VALUES + 1} more`]
}

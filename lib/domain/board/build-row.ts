import { buildEvaluatedHere, type Eligibility, type EvaluationState } from '../eligibility/index.ts'
import {
  type EpisodeFact,
  isLlmDriven,
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
  const solved = sampleQuantiles(timesOf(counted.filter(({ status }) => status === 'solved')))
  const perTask = tallies.map((tally) => tally.scored)
  const starts = startsOf(counted)
  const sensitivity = voidSensitivity(tallies)
  const { arm } = identity.subject
  const looks = buildLooks({ ...group, removed: group.corrected?.removed ?? [], arm })
  const modes = new Set(counted.map(({ mode }) => mode))
  return {
    rowId: group.rowId,
    ...identity,
    modes: modeSchema.options.filter((mode) => modes.has(mode)),
    label,
    refusals,
    driven: counted.some(isLlmDriven) ? 'llm' : 'scripted',
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
    provenance: weakestOf(counted),
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

function weakestOf(counted: readonly EpisodeFact[]): BoardRow['provenance'] {
  const levels = new Set(counted.map(({ provenance }) => PROVENANCE_LEVELS.indexOf(provenance)))
  return PROVENANCE_LEVELS[Math.min(...levels)] ?? 'manual'
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

/** Sensitivity of the rate: over repeated attempts of a task, and with any one task or category left out. */
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

function givenPricesOf(counted: readonly EpisodeFact[]): BoardRow['givenPrices'] {
  const settings = new Set(counted.map((fact) => fact.settings))
  const given = new Set([...settings].flatMap(({ price }) => price ?? []))
  return given.size > 0 ? [...given].sort() : undefined
}

function implausibleOf(counted: readonly EpisodeFact[]): BoardRow['implausibleUsage'] {
  const calls = counted.map((fact) => fact.implausibleCalls ?? 0).filter((count) => count > 0)
  if (calls.length === 0) return undefined
  return { calls: calls.reduce((sum, one) => sum + one, 0), episodes: calls.length }
}

function voucherOf({ counted, sender }: RowGroup): Pick<BoardRow, 'voucher'> {
  if (sender === null) return { voucher: null }
  const voucher = counted.find((fact) => fact.voucher !== undefined)?.voucher
  return voucher === undefined ? {} : { voucher }
}

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
  return replacedVoids.length + counted.filter(({ status }) => status === 'void').length
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
  return { attempts: cancelled.length, countAsFailed: scored > countScored(counted) }
}

function countScored(counted: readonly EpisodeFact[]): number {
  return counted.filter(({ status }) => isScored(status)).length
}

/** Counts the scored episodes in which the arm's content was observed; absent if none of it is observable. */
export function activationOf(counted: readonly EpisodeFact[]): BoardRow['activation'] {
  const scored = counted.filter(({ status }) => isScored(status))
  const seen = scored
    .map(({ activation }) => activation)
    .filter((activation) => activation !== undefined)
  if (seen.length === 0) return undefined
  const count = (part: 'offered' | 'used') => ({
    yes: seen.filter((one) => one[part] === true).length,
    known: seen.filter((one) => one[part] !== null).length,
  })
  return { episodes: scored.length, offered: count('offered'), used: count('used') }
}

function recoveryOf(counted: readonly EpisodeFact[]): BoardRow['recovery'] {
  const faults = counted
    .map(({ fault, status }) => (isScored(status) ? fault : null))
    .filter((fault) => fault !== null)
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
    ['price', settings.price ?? 'not given'] as const,
    ...NEAR_KEYS.map((key) => [key, String(settings[key] ?? 'none')] as const),
  ].map(([what, value]) => [what, value])
}

function shorten(values: string[]): string[] {
  if (values.length <= MAX_VALUES) return values
  return [...values.slice(0, MAX_VALUES - 1), `and ${values.length - MAX_VALUES + 1} more`]
}

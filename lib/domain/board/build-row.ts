import {
  buildEvaluatedHere,
  type Eligibility,
  type EvaluationState,
  needsEvaluation,
} from '../eligibility/index.ts'
import {
  countEpisodes,
  type EpisodeFact,
  type EpisodeKind,
  isLlmDriven,
  isScored,
  joinLists,
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
import { shareUsage } from './model-shares.ts'
import { overallOf } from './overall-success.ts'
import { buildDistributions, buildFailures } from './row-distributions.ts'
import type { RowGroup } from './row-group.ts'
import { buildBrowserMetrics, buildGradingMetrics } from './row-metrics.ts'
import { describeFamilies, findShock } from './row-samples.ts'
import { buildRowTasks, faultsOf, knownTimes, rawFigures, spending } from './row-spending.ts'
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
  const { counted, kinds, amounts, tallies, planned, identity } = group
  const facts = kinds.map(({ fact }) => fact)
  const solved = sampleQuantiles(knownTimes(joinLists(amounts.map(({ solvedMs }) => solvedMs))))
  const perTask = tallies.map((tally) => tally.scored)
  const starts = startsOf(kinds)
  const sensitivity = voidSensitivity(tallies)
  const { arm } = identity.subject
  const looks = buildLooks({ ...group, removed: group.corrected?.removed ?? [], arm })
  const modes = new Set(facts.map(({ mode }) => mode))
  return {
    rowId: group.rowId,
    ...identity,
    modes: modeSchema.options.filter((mode) => modes.has(mode)),
    label,
    refusals,
    driven: facts.some(isLlmDriven) ? 'llm' : 'scripted',
    rank: null,
    success: successRate(tallies, looks?.confidence),
    repetitions: { least: Math.min(...perTask), most: Math.max(...perTask) },
    plannedEpisodes: planned.length || counted.length,
    ...sensitivityOf(group, looks?.confidence),
    voidAttempts: voidsOf(group),
    overall: overallOf(kinds),
    voidSensitivity: sensitivity.ok ? sensitivity.value : null,
    solvedMs: { p50: solved(0.5), p95: solved(0.95) },
    ...spending(amounts),
    raw: rawFigures(amounts),
    distributions: buildDistributions(amounts),
    failures: buildFailures(kinds),
    recovery: recoveryOf(kinds),
    provenance: weakestOf(facts),
    ...voucherOf(group),
    ...optional({
      looks,
      stop: group.stopped[0]?.decision,
      stops: stopsOf(group),
      unsentSlots: group.unsent.length || undefined,
      cancelledAttempts: describeCancelled(group),
      aliases: group.aliases.length > 0 ? group.aliases : undefined,
      browser: facts.some(({ browser }) => browser) ? buildBrowserMetrics(counted) : undefined,
      grading: buildGradingMetrics(kinds),
      evaluatedHere: evaluations && evaluatedOf(group, evaluations),
      registration: group.registration ?? undefined,
      mixed: listMixed(facts),
      givenPrices: givenPricesOf(facts),
      modelShares: shareUsage(group.usage),
      implausibleUsage: implausibleOf(kinds),
      activation: activationOf(kinds),
      armParts: armPartsOf(group),
      acceptedLibrary,
      corrections: correctionsOf(group.corrected),
      families: describeFamilies(tallies),
      shock: findShock(counted, group.plans),
    }),
    planPolicies: listPolicies(group),
    tasks: buildRowTasks(group),
    runIds: runIdsOf(facts).sort(),
    firstStartedAt: starts.first,
    lastStartedAt: starts.last,
  }
}

function stopsOf({ stopped }: RowGroup): BoardRow['stops'] {
  if (stopped.length === 0) return undefined
  return stopped.map(({ runId, decision }) => ({ runId, ...decision }))
}

function evaluatedOf(
  { kinds, counted }: RowGroup,
  evaluations: ReadonlyMap<string, EvaluationState>,
): BoardRow['evaluatedHere'] {
  const isOutside = kinds.some(({ fact }) => needsEvaluation(fact))
  return isOutside ? buildEvaluatedHere(counted, evaluations) : undefined
}

function weakestOf(counted: readonly EpisodeFact[]): BoardRow['provenance'] {
  const levels = new Set(counted.map(({ provenance }) => PROVENANCE_LEVELS.indexOf(provenance)))
  return PROVENANCE_LEVELS[Math.min(...levels)] ?? 'manual'
}

function startsOf(kinds: readonly EpisodeKind[]): { first: string; last: string } {
  const some = kinds[0]?.fact.startedAt ?? ''
  let [first, last] = [some, some]
  for (const { fact, lastStartedAt } of kinds) {
    if (fact.startedAt < first) first = fact.startedAt
    if (lastStartedAt > last) last = lastStartedAt
  }
  return { first, last }
}

/** Sensitivity of the rate: over repeated attempts of a task, and with any one task or category left out. */
function sensitivityOf(
  { tallies, kinds }: RowGroup,
  confidence?: number,
): Pick<BoardRow, 'reliability' | 'leaveOneOut'> {
  const curve = reliabilityCurve(tallies, confidence)
  const categories = new Map(kinds.map(({ fact: { taskId, category } }) => [taskId, category]))
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
  const known = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as { [K in keyof T]?: Exclude<T[K], undefined> }
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

function implausibleOf(kinds: readonly EpisodeKind[]): BoardRow['implausibleUsage'] {
  const found = kinds.filter(({ fact }) => (fact.implausibleCalls ?? 0) > 0)
  if (found.length === 0) return undefined
  const calls = found.map(({ fact, episodes }) => episodes * (fact.implausibleCalls ?? 0))
  return { calls: calls.reduce((sum, one) => sum + one, 0), episodes: countEpisodes(found) }
}

function voucherOf({ kinds, sender }: RowGroup): Pick<BoardRow, 'voucher'> {
  if (sender === null) return { voucher: null }
  const voucher = kinds.find(({ fact }) => fact.voucher !== undefined)?.fact.voucher
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

function voidsOf({ kinds, replacedVoids }: RowGroup): number {
  return replacedVoids.length + countEpisodes(kinds.filter(({ fact }) => fact.status === 'void'))
}

/**
 * Attempts that were cancelled and run again. If they count as failed, the tallies have more scored attempts than
 * episodes.
 */
function describeCancelled({ kinds, cancelled, tallies }: RowGroup): BoardRow['cancelledAttempts'] {
  if (cancelled.length === 0) return undefined
  const scored = tallies.reduce((sum, tally) => sum + tally.scored, 0)
  const counted = countEpisodes(kinds.filter(({ fact }) => isScored(fact.status)))
  return { attempts: cancelled.length, countAsFailed: scored > counted }
}

/** Counts the scored episodes in which the arm's content was observed; absent if none of it is observable. */
export function activationOf(kinds: readonly EpisodeKind[]): BoardRow['activation'] {
  const scored = kinds.filter(({ fact }) => isScored(fact.status))
  const seen = scored.filter(({ fact }) => fact.activation !== undefined)
  if (seen.length === 0) return undefined
  const count = (part: 'offered' | 'used') => ({
    yes: countEpisodes(seen.filter(({ fact }) => fact.activation?.[part] === true)),
    known: countEpisodes(seen.filter(({ fact }) => fact.activation?.[part] !== null)),
  })
  return { episodes: countEpisodes(scored), offered: count('offered'), used: count('used') }
}

function recoveryOf(kinds: readonly EpisodeKind[]): BoardRow['recovery'] {
  return faultsOf(kinds.filter(({ fact }) => isScored(fact.status))) ?? null
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

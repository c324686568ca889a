import { z } from 'zod'
import {
  digestPair,
  type Plan,
  refuseStop,
  type Slot,
  type StopSide,
  stopSlots,
} from '../record/index.ts'
import { lookAtPair, type TaskCounts } from '../statistics/index.ts'
import { countOf, formatCost, formatLevel } from '../text/index.ts'

const count = z.number().int().nonnegative()

/** The first registered look at which the sealed episodes of a plan decide, and the verdict. */
export const stopDecisionSchema = z.object({
  /** Side `a` compared with side `b`, on these tasks. */
  verdict: z.enum(['better', 'worse', 'no-larger-than']),
  /** This entry's side. */
  side: z.enum(['a', 'b']),
  /** a − b at that look with the interval of the verdict, −1 … 1. */
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  look: count.positive(),
  looks: count.positive(),
  /** Episodes of both sides up to that look, and planned ones. */
  after: count,
  planned: count,
  /** The registered smallest difference that matters, and chance of a false verdict. */
  smallest: z.number(),
  alpha: z.number(),
  /** Mean cost of the episodes of both sides times those that were not run; null = unknown. */
  savedMicroUsd: z.number().nullable(),
})
export type StopDecision = z.infer<typeof stopDecisionSchema>

/** A decision with the run that stopped by it. */
export const runStopSchema = stopDecisionSchema.extend({ runId: z.string() })

/** The endings of a side's slots, in the plan's order: `1` solved, `0` scored and not solved, `v` excluded, `-` not run. */
export type SideEnds = { plan: Plan; ends: string; costMicroUsd: number | null }

/**
 * Applies a plan's stopping rule to what is sealed. Look n uses the first n/2 episodes of each side in the plan's order, all of
 * which must have ended, so that anyone with the sealed episodes finds the same, and later ones change nothing. Null = the
 * rule is none, cannot be applied, or has not decided; so it is where episodes after the look exist.
 */
export function decideStop(sides: Record<StopSide, SideEnds>): Omit<StopDecision, 'side'> | null {
  const { stop } = sides.a.plan
  if (stop === undefined || !isSameRule(sides)) return null
  const slots = { a: stopSlots(sides.a.plan, 'a'), b: stopSlots(sides.b.plan, 'b') }
  const planned = slots.a.length + slots.b.length
  for (const [index, after] of stop.looks.entries()) {
    const each = after / 2
    if (hasGap(sides.a.ends, each) || hasGap(sides.b.ends, each)) return null
    const seen = lookAtPair(
      countEnds(slots.a, sides.a.ends, each),
      countEnds(slots.b, sides.b.ends, each),
      stop,
    )
    if (seen?.verdict == null) continue
    const wentOn = [sides.a, sides.b].some(({ ends }) => /[^-]/.test(ends.slice(each)))
    if (wentOn && after < planned) return null
    const { verdict, difference, low, high } = seen
    return {
      verdict,
      difference,
      low,
      high,
      look: index + 1,
      looks: stop.looks.length,
      after,
      planned,
      smallest: stop.difference,
      alpha: stop.alpha,
      savedMicroUsd: savedCost(sides, (planned - after) / 2, each),
    }
  }
  return null
}

/** A run that stopped by its rule: its slots after the look are not required. */
export type StoppedRun = { runId: string; decision: StopDecision }

function isSameRule({ a: { plan: a }, b: { plan: b } }: Record<StopSide, SideEnds>): boolean {
  if (refuseStop(a) !== null || refuseStop(b) !== null) return false
  if (a.planDigest === b.planDigest) return a.stop?.pair === undefined
  const [left, right] = [a.stop, b.stop]
  if (left?.pair === undefined || right?.pair === undefined) return false
  const digest = digestPair(a, b)
  const hasSame = (key: 'difference' | 'alpha') => left[key] === right[key]
  return (
    left.pair.digest === digest &&
    right.pair.digest === digest &&
    left.pair.side === 'a' &&
    right.pair.side === 'b' &&
    hasSame('difference') &&
    hasSame('alpha') &&
    left.looks.join() === right.looks.join() &&
    a.suiteDigest === b.suiteDigest &&
    a.repetitions === b.repetitions &&
    namesOf(a) === namesOf(b)
  )
}

function namesOf({ tasks }: Plan): string {
  return tasks.map(({ taskId, digest }) => `${taskId} ${digest}`).join()
}

function hasGap(ends: string, each: number): boolean {
  return ends.length < each || ends.slice(0, each).includes('-')
}

function countEnds(slots: readonly Slot[], ends: string, each: number): TaskCounts[] {
  const counts = new Map<string, TaskCounts & { voids: number }>()
  for (const [index, { taskId }] of slots.slice(0, each).entries()) {
    const own = counts.get(taskId) ?? { taskId, solved: 0, scored: 0, voids: 0 }
    counts.set(taskId, own)
    const end = ends[index]
    if (end === 'v') own.voids++
    else own.scored++
    if (end === '1') own.solved++
  }
  return [...counts.values()]
}

function savedCost(
  { a, b }: Record<StopSide, SideEnds>,
  left: number,
  each: number,
): number | null {
  if (a.costMicroUsd === null || b.costMicroUsd === null) return null
  return Math.round(((a.costMicroUsd + b.costMicroUsd) * left) / each)
}

/** Formats the decision with its verdict: `decided after 132 of 300 episodes, …: better by 24 points (8 to 40) on these tasks`. */
export function describeStop(stop: StopDecision): string {
  return `${formatStop(stop)}: ${formatStopVerdict(stop)} on these tasks`
}

/** The planned episodes of a run that its stopped plan needs; of a pair of plans each has half of them. */
export function countOwed(planned: number, stop: StopDecision | null): number {
  return stop === null ? planned : Math.round((planned * stop.after) / stop.planned)
}

/** Finds the decision by which a run stopped among the rows of its board; null = it did not. */
export function findStop(
  rows: readonly { stops?: readonly z.infer<typeof runStopSchema>[] | undefined }[],
  runId: string,
): StopDecision | null {
  return rows.flatMap(({ stops = [] }) => stops).find((stop) => stop.runId === runId) ?? null
}

/** `decided after 132 of 300 episodes, $14 saved, error at most 5 %`. */
export function formatStop({ after, planned, savedMicroUsd, alpha }: StopDecision): string {
  const saved = savedMicroUsd ? `, ${formatCost(savedMicroUsd)} saved` : ''
  const error = `error at most ${formatLevel(alpha)}`
  return `decided after ${after} of ${countOf(planned, 'episode')}${saved}, ${error}`
}

/** `better by 24 points (8 to 40)` and `no difference larger than 20 points`, as seen from the entry's own side. */
export function formatStopVerdict(stop: StopDecision): string {
  const verdict = ownVerdict(stop)
  if (verdict === 'no-larger-than')
    return `no difference larger than ${countOf(wholePoints(stop.smallest), 'point')}`
  const [near, far] = [Math.abs(stop.low), Math.abs(stop.high)].sort((x, y) => x - y)
  const size = countOf(wholePoints(Math.abs(stop.difference)), 'point')
  return `${verdict} by ${size} (${wholePoints(near ?? 0)} to ${wholePoints(far ?? 0)})`
}

/** Returns the verdict as seen from the entry's own side. */
export function ownVerdict({ verdict, side }: StopDecision): StopDecision['verdict'] {
  if (verdict === 'no-larger-than' || side === 'a') return verdict
  return verdict === 'better' ? 'worse' : 'better'
}

function wholePoints(value: number): number {
  return Math.round(100 * value)
}

import type { RunState } from '#lib/domain/api/index.ts'
import type { Spend } from '#lib/domain/runs/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatCount, formatDollars, formatDuration, UNKNOWN } from '../ui/format.ts'

/** Remaining time of an active run, and the basis of the estimate. */
export function timeLeft({ left, status }: RunState): { value: string; note: string } {
  if (!left) {
    const note = status === 'queued' ? 'not started yet' : 'available after 3 finished episodes'
    return { value: UNKNOWN, note }
  }
  const [low, high] = [formatDuration(left.lowMs), formatDuration(left.highMs)]
  return {
    value: low === high ? low : `${low} to ${high}`,
    note: `95 % range from ${countOf(left.from, 'finished attempt')}, concurrency ${formatCount(left.hands)}`,
  }
}

/** The cost of the finished attempts of a run. */
export function spent(
  { microUsd, unmetered }: Spend,
  sealed: number,
): { value: string; note: string } {
  if (microUsd === null) return { value: UNKNOWN, note: sealed > 0 ? 'not metered' : '' }
  const note = unmetered > 0 ? `excludes ${countOf(unmetered, 'unmetered attempt')}` : ''
  return { value: `${unmetered > 0 ? 'at least ' : ''}${formatDollars(microUsd)}`, note }
}

import { linkCalls } from '../call-links.ts'
import type { TranscriptStep } from '../transcript.ts'
import type { RequestedCall } from './asked-calls.ts'

/** Pairs each result with its call. */
export function listResults(
  steps: readonly TranscriptStep[],
  calls: readonly RequestedCall[],
): Map<TranscriptStep, RequestedCall> {
  const known = new Map(calls.map((one) => [one.call, one]))
  const results = new Map<TranscriptStep, RequestedCall>()
  for (const [result, { step, place }] of linkCalls(steps)) {
    const call = step.toolCalls[place]
    const one = call && known.get(call)
    if (one) results.set(result, one)
  }
  return results
}

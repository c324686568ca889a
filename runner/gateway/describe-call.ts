import type { GatewayCall } from '#lib/domain/gateway-call.ts'
import type { CallRecord } from './meter/call-record.ts'

const MOST_NAME = 200

/** What of a call is kept as evidence; names come from outside and are cut. */
export function describeCall(call: CallRecord): GatewayCall {
  const { number, startedAt, source, status, ending, isStep, retryOf } = call
  const { tokens, price, requestBytes, responseBytes, firstByteMs, durationMs } = call
  const { costMicroUsd } = price
  return {
    number,
    startedAt,
    source,
    status,
    ending,
    isStep,
    retryOf,
    fault: cut(call.fault),
    model: cut(call.model),
    tokens,
    costMicroUsd,
    toolCalls: call.toolCalls.slice(0, 200).map((tool) => tool.slice(0, MOST_NAME)),
    stopReason: cut(call.stopReason),
    requestBytes,
    responseBytes,
    firstByteMs: firstByteMs === null ? null : tenths(firstByteMs),
    durationMs: tenths(durationMs),
  }
}

function cut(text: string | null): string | null {
  return text === null ? null : text.slice(0, MOST_NAME)
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

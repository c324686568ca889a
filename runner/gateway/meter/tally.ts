import type { GatewayReport } from '../gateway-report.ts'
import type { CallRecord } from './call-record.ts'
import { findProviderTrouble } from './provider-trouble.ts'
import { sumTokens } from './sum-tokens.ts'

export type TalliedPart = Omit<
  GatewayReport,
  'requests' | 'exhausted' | 'faults' | 'replayMisses' | 'ownErrors'
>

/** Sums over the finished calls of one episode. */
export function tally(calls: readonly CallRecord[]): TalliedPart {
  const billed = calls.filter(isBilled)
  const steps = calls.filter(({ isStep }) => isStep)
  return {
    ...sumTokens(billed.map(({ tokens }) => tokens)),
    ...sumCost(billed),
    steps: steps.length,
    toolCalls: countWords(steps.flatMap(({ toolCalls }) => toolCalls)),
    firstTool: steps.find(({ toolCalls }) => toolCalls.length > 0)?.toolCalls[0] ?? null,
    stopReasons: countWords(steps.flatMap(({ stopReason }) => stopReason ?? [])),
    refusals: steps.filter(({ refused }) => refused).length,
    models: [...new Set(billed.flatMap(({ model }) => model ?? []))],
    retries: calls.filter(({ retryOf }) => retryOf !== null).length,
    providerErrors: countWords(
      calls.flatMap((call) =>
        call.source !== 'gateway' && call.status !== null && call.status >= 400
          ? String(call.status)
          : [],
      ),
    ),
    providerTrouble: findProviderTrouble(calls),
    temperatures: [
      ...new Set(billed.flatMap(({ temperature }) => (temperature ? [temperature.sent] : []))),
    ],
    wall: {
      firstByteMs: sum(calls.map(({ firstByteMs }) => firstByteMs ?? 0)),
      answerMs: sum(calls.map(({ durationMs }) => durationMs)),
    },
  }
}

/** The provider worked for it, or may have: a client that left early leaves its cost unknown. */
function isBilled({ source, status, ending }: CallRecord): boolean {
  if (source === 'gateway') return false
  return status === null ? ending === 'client-gone' : status < 300
}

function sumCost(
  billed: readonly CallRecord[],
): Pick<TalliedPart, 'costMicroUsd' | 'knownCostMicroUsd' | 'unpricedCalls' | 'priceTable'> {
  const unpricedCalls = billed.filter(({ price }) => price.costMicroUsd === null).length
  const known = sum(billed.map(({ price }) => price.costMicroUsd ?? 0))
  return {
    costMicroUsd: unpricedCalls > 0 ? null : known,
    knownCostMicroUsd: known,
    unpricedCalls,
    priceTable: billed.find(({ price }) => price.priceTable !== null)?.price.priceTable ?? null,
  }
}

function countWords(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Object.fromEntries(counts)
}

function sum(values: readonly number[]): number {
  return Math.round(values.reduce((total, value) => total + value, 0) * 10) / 10
}

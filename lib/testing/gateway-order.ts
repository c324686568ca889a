import { systemClock } from '#runner/clock.ts'
import type { GatewayOrder } from '#runner/gateway/gateway-order.ts'

export const REAL_KEY = 'sk-real-Zq83hTbW02LmXv71Kd55Np'

/** An order for one provider at `baseUrl` that speaks all protocols: no limits, no pins, ten micro-dollars a token. */
export function sampleOrder(baseUrl: string, changes: Partial<GatewayOrder> = {}): GatewayOrder {
  const bearer = { authorization: `Bearer ${REAL_KEY}` }
  return {
    listen: { kind: 'loopback' },
    upstreams: {
      anthropic: { provider: 'anthropic', baseUrl, headers: { 'x-api-key': REAL_KEY } },
      'openai-responses': { provider: 'openai', baseUrl, headers: bearer },
      'openai-chat': { provider: 'openai', baseUrl, headers: bearer },
      gemini: { provider: 'google', baseUrl, headers: { 'x-goog-api-key': REAL_KEY } },
    },
    pins: { temperature: null },
    budgets: { maxSteps: null, maxTokens: null, maxCostMicroUsd: null },
    deadline: null,
    price: ({ tokens }) => ({
      costMicroUsd:
        tokens.input === null || tokens.output === null
          ? null
          : (tokens.input + tokens.output) * 10,
      priceTable: { id: 'test', date: '2026-11-21' },
    }),
    faults: [],
    recorder: null,
    replayer: null,
    clock: systemClock,
    signal: new AbortController().signal,
    ...changes,
  }
}

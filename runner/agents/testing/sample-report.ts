import type { GatewayReport } from '../gateway-port.ts'

/** What a gateway says of a quiet attempt. */
export function sampleReport(changes: Partial<GatewayReport> = {}): GatewayReport {
  return {
    requests: 4,
    steps: 3,
    toolCalls: { edit: 1, read: 1 },
    firstTool: 'read',
    tokens: { input: 100, output: 20, cacheRead: null, cacheWrite: null, reasoning: null },
    costMicroUsd: 1200,
    priceTable: { id: 'prices', date: '2026-11-01' },
    modelObserved: ['model-x-1'],
    retries: 1,
    exhausted: null,
    providerTrouble: null,
    replayMiss: null,
    faults: [],
    ...changes,
  }
}

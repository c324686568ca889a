import { afterEach, describe, expect, it } from 'vitest'
import { askModel } from '#lib/testing/factories/ask-model.ts'
import { REAL_KEY, sampleOrder } from '#lib/testing/factories/gateway.ts'
import type { GatewayReport } from './gateway-order.ts'
import type { ModelScript } from './model-script.ts'
import { startModelServer } from './model-server.ts'
import { type AttemptParts, openForAttempt } from './open-for-attempt.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function open(script: ModelScript, changes: Partial<AttemptParts> = {}) {
  const model = await startModelServer(script, { key: REAL_KEY, port: 0 })
  const closed: GatewayReport[] = []
  const { listen, deadline, price, faults, recorder, replayer, clock } = sampleOrder(model.url)
  const gateway = await openForAttempt(
    {
      ...{ listen, deadline, price, faults, recorder, replayer, clock },
      upstream: (provider) => ({
        provider,
        baseUrl: model.url,
        headers: { authorization: `Bearer ${REAL_KEY}` },
      }),
      onClosed: async (report) => {
        closed.push(report)
      },
      agent: { name: 'echo', version: '1.0.0' },
      secrets: [REAL_KEY],
      ...changes,
    },
    {
      protocol: 'openai-chat',
      provider: 'openai',
      pins: { temperature: 0 },
      budgets: { maxSteps: 2, maxTokens: null, maxCostMicroUsd: null },
      signal: new AbortController().signal,
    },
  )
  closing.push(gateway.close, model.close)
  const ask = async () => {
    const answer = await askModel(
      { url: () => gateway.url, dummyKey: gateway.dummyKey },
      'openai-chat',
      true,
    )
    await answer.text()
  }
  return { gateway, ask, closed }
}

describe('the gateway of an attempt', () => {
  it('reports what an envelope needs', async () => {
    const { gateway, ask, closed } = await open(
      { turns: [{ call: { tool: 'edit', input: {} }, errors: [{ status: 429 }] }] },
      { faults: [{ kind: 'overloaded', atStep: 1, times: 1, forMs: null }] },
    )
    for (let turn = 0; turn < 5; turn++) await ask()
    expect(gateway.report()).toMatchObject({
      requests: 5,
      steps: 2,
      toolCalls: { edit: 2 },
      firstTool: 'edit',
      tokens: { input: 200, output: 40 },
      costMicroUsd: 2400,
      modelObserved: ['m-1'],
      retries: 4,
      exhausted: { budget: 'steps' },
      providerTrouble: null,
      replayMiss: null,
      faults: [
        { plan: 'overloaded', point: 'step 1', firedAt: expect.any(String), recovered: true },
      ],
    })
    await gateway.close()
    expect(closed).toMatchObject([{ steps: 2, requests: { metered: 5 } }])
  })

  it('reports a failure that was never overcome, and a fault that never came', async () => {
    const errors = Array.from({ length: 9 }, () => ({ status: 529 }))
    const { gateway, ask } = await open(
      { turns: [{ say: 'x', errors }] },
      { faults: [{ kind: 'hang', atStep: 2, times: null, forMs: null, limitMs: 10 }] },
    )
    await ask()
    await ask()
    expect(gateway.report()).toMatchObject({
      providerTrouble: { kind: 'overloaded', count: 2 },
      faults: [{ firedAt: null, recovered: null }],
    })
  })

  it('throws when the gateway itself failed', async () => {
    const { gateway, ask } = await open(
      { turns: [{ say: 'x' }] },
      {
        price: () => {
          throw new Error('no table')
        },
      },
    )
    await ask()
    await new Promise((done) => setImmediate(done))
    expect(() => gateway.report()).toThrow('the gateway failed: no table')
  })
})

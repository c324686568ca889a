import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { askModel, CALLS, WAYS } from '#lib/testing/factories/ask-model.ts'
import { REAL_KEY, sampleGatewayOptions, startRawUpstream } from '#lib/testing/factories/gateway.ts'
import { AnswerMeter } from './answer-meter.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { startModelServer } from './model-server.ts'
import { type Gateway, startGateway } from './start-gateway.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function limited(changes: Partial<GatewayOptions>, delayMs = 0) {
  const model = await startModelServer(
    { turns: [{ say: 'hi', usage: { input: 70, output: 30 }, delayMs }] },
    { key: REAL_KEY, port: 0 },
  )
  const gateway = await startGateway(sampleGatewayOptions(model.url, changes))
  closing.push(gateway.close, model.close)
  return { model, gateway }
}

async function settled(gateway: Gateway): Promise<void> {
  while (gateway.report().requests.inFlight > 0) await sleep(1)
}

const NONE = { maxSteps: null, maxTokens: null, maxCostMicroUsd: null }

describe('budgets end an agent politely', () => {
  it.each(WAYS)(
    'with a final turn in $protocol, streamed $stream',
    async ({ protocol, stream }) => {
      const { model, gateway } = await limited({ budgets: { ...NONE, maxSteps: 1 } })
      await (await askModel(gateway, protocol, stream)).text()
      await settled(gateway)
      const response = await askModel(gateway, protocol, stream)
      expect(response.status).toBe(200)
      const type = response.headers.get('content-type') ?? ''
      expect(type).toContain(stream ? 'text/event-stream' : 'application/json')
      const text = await response.text()
      expect(text.replace(/"[^"]*":|[^\w ]/g, '')).toMatch(/bud|spent|steps/)
      expect(text).not.toMatch(/^:/m)
      const meter = new AnswerMeter(protocol, { type, encoding: '' })
      await meter.write(Buffer.from(text))
      expect(await meter.end()).toMatchObject({ complete: true, toolCalls: [], error: null })
      expect(model.requests).toHaveLength(1)
      await settled(gateway)
      expect(gateway.report()).toMatchObject({
        steps: 1,
        requests: { metered: 2 },
        tokens: { input: 70, output: 30 },
        exhausted: { budget: 'steps', spent: 1, reason: expect.stringContaining('1 step') },
      })
    },
  )

  it.each([
    ['tokens', { ...NONE, maxTokens: 200 }, 200],
    ['cost', { ...NONE, maxCostMicroUsd: 1500 }, 2000],
  ] as const)('%s', async (budget, budgets, spent) => {
    const { model, gateway } = await limited({ budgets })
    for (let turn = 0; turn < 3; turn++) {
      await (await askModel(gateway, 'openai-chat', true)).text()
      await settled(gateway)
    }
    expect(model.requests).toHaveLength(2)
    expect(gateway.report().exhausted).toMatchObject({ budget, spent })
  })

  it('turns to 400 for an agent that goes on, and never asks the provider again', async () => {
    const { model, gateway } = await limited({ budgets: { ...NONE, maxSteps: 0 } })
    const statuses: number[] = []
    for (let turn = 0; turn < 6; turn++) {
      const response = await askModel(gateway, 'anthropic', true)
      statuses.push(response.status)
      await response.text()
    }
    expect(statuses).toEqual([200, 200, 200, 200, 400, 400])
    expect(model.requests).toEqual([])
  })

  it('counts turns under way, so that parallel requests do not slip through', async () => {
    const { model, gateway } = await limited({ budgets: { ...NONE, maxSteps: 2 } }, 100)
    const requested = [1, 2, 3, 4].map(async () => (await askModel(gateway, 'gemini', true)).text())
    await Promise.all(requested)
    expect(model.requests).toHaveLength(2)
    await settled(gateway)
    expect(gateway.report()).toMatchObject({ steps: 2, exhausted: { budget: 'steps' } })
  })

  it.each([
    ['tokens', { ...NONE, maxTokens: 250 }, 300],
    ['cost', { ...NONE, maxCostMicroUsd: 2500 }, 3000],
  ] as const)('%s: ten parallel calls overshoot by one at most', async (budget, budgets, spent) => {
    const { model, gateway } = await limited({ budgets }, 20)
    const requested = Array.from({ length: 10 }, async (_, number) => {
      const body = JSON.stringify({ ...CALLS.anthropic(true).body, metadata: { number } })
      return (await askModel(gateway, 'anthropic', true, { body })).text()
    })
    const answers = await Promise.all(requested)
    // Three were answered, and the first four blocked ones got a final turn.
    expect(answers.filter((text) => text.includes('message_stop'))).toHaveLength(7)
    expect(model.requests).toHaveLength(3)
    await settled(gateway)
    expect(gateway.report().exhausted).toMatchObject({ budget, spent })
  })

  it('counts a call of unknown usage by its bytes, never as nothing', async () => {
    const upstream = await startRawUpstream((client) => {
      if (upstream.requests.length === 1) return // the agent leaves before any response
      const usage = { prompt_tokens: 70, completion_tokens: 30 }
      const choices = [{ index: 0, message: { content: 'x' }, finish_reason: 'stop' }]
      client.setHeader('content-type', 'application/json')
      client.end(JSON.stringify({ model: 'm-1', choices, usage }))
    })
    const budgets = { ...NONE, maxTokens: 110 }
    const gateway = await startGateway(sampleGatewayOptions(upstream.url, { budgets }))
    closing.push(gateway.close, upstream.close)
    const leaving = new AbortController()
    const left = askModel(gateway, 'openai-chat', false, { signal: leaving.signal }).catch(() => {})
    while (upstream.requests.length === 0) await sleep(1)
    leaving.abort()
    await left
    await settled(gateway)
    for (const user of ['a', 'b']) {
      const body = JSON.stringify({ ...CALLS['openai-chat'](false).body, user })
      await (await askModel(gateway, 'openai-chat', false, { body })).text()
      await settled(gateway)
    }
    const { exhausted, charged, tokens } = gateway.report()
    expect(exhausted).toMatchObject({
      budget: 'tokens',
      reason: expect.stringContaining('1 of the calls estimated'),
    })
    expect([charged.estimatedCalls, tokens.output, upstream.requests.length]).toEqual([1, null, 2])
  })

  it('refuses a model without a price under a cost budget, and goes on with the others', async () => {
    const { model, gateway } = await limited({
      budgets: { ...NONE, maxCostMicroUsd: 1e6 },
      price: ({ model: name }) => ({
        costMicroUsd: name === 'm-1' ? null : 5,
        priceTable: null,
      }),
    })
    const refused = await askModel(gateway, 'anthropic', false)
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('has no known price'),
    ])
    const body = JSON.stringify({ ...CALLS.anthropic(false).body, model: 'm-2' })
    expect((await askModel(gateway, 'anthropic', false, { body })).status).toBe(200)
    expect(model.requests).toHaveLength(1)
  })

  it('time: the turn under way ends, the next one is the last', async () => {
    const deadline = new AbortController()
    const { model, gateway } = await limited({ deadline: deadline.signal }, 50)
    const underWay = askModel(gateway, 'openai-responses', true)
    while (model.requests.length === 0) await sleep(1)
    deadline.abort()
    expect(await (await underWay).text()).toContain('hi')
    await (await askModel(gateway, 'openai-responses', true)).text()
    await settled(gateway)
    expect(model.requests).toHaveLength(1)
    expect(gateway.report()).toMatchObject({ steps: 1, exhausted: { budget: 'time', spent: null } })
  })
})

describe('pins', () => {
  it('what the provider gets is what the report says', async () => {
    const { model, gateway } = await limited({ pins: { temperature: 0 } })
    const { body } = CALLS['openai-chat'](false)
    await (
      await askModel(gateway, 'openai-chat', false, {
        body: JSON.stringify({ temperature: 0.7, ...body }),
      })
    ).text()
    await (await askModel(gateway, 'gemini', false)).text()
    const thinking = { thinking: { type: 'enabled', budget_tokens: 1024 } }
    const requested = JSON.stringify({ ...CALLS.anthropic(true).body, ...thinking })
    await (await askModel(gateway, 'anthropic', true, { body: requested })).text()
    await settled(gateway)
    const [chat, gemini, claude] = model.requests.map((request) => JSON.parse(request.body))
    expect(chat.temperature).toBe(0)
    expect(gemini.generationConfig).toEqual({ temperature: 0 })
    expect(claude).toEqual(JSON.parse(requested))
    expect(gateway.report().temperatures).toEqual([0, null])
  })

  it('refuses a body that would hide another temperature', async () => {
    const { model, gateway } = await limited({ pins: { temperature: 0 } })
    const body = '{"model":"m","temperature":0.2,"messages":[],"temperature":0.9}'
    expect((await askModel(gateway, 'openai-chat', false, { body })).status).toBe(400)
    expect(model.requests).toEqual([])
  })
})

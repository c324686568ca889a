import { afterEach, describe, expect, it } from 'vitest'
import { askModel, CALLS, WAYS } from '#lib/testing/factories/ask-model.ts'
import {
  type RawUpstream,
  REAL_KEY,
  sampleGatewayOptions,
  startRawUpstream,
} from '#lib/testing/factories/gateway.ts'
import type { CallRecord } from './call-record.ts'
import type { GatewayOptions } from './gateway-options.ts'
import type { ModelScript } from './model-script.ts'
import { startModelServer } from './model-server.ts'
import { type Gateway, startGateway } from './start-gateway.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function scripted(script: ModelScript, changes: Partial<GatewayOptions> = {}) {
  const model = await startModelServer(script, { key: REAL_KEY, port: 0 })
  const gateway = await gatewayTo(model.url, changes)
  closing.unshift(model.close)
  return { model, gateway }
}

async function raw(
  result: Parameters<typeof startRawUpstream>[0],
  changes: Partial<GatewayOptions> = {},
): Promise<{ upstream: RawUpstream; gateway: Gateway }> {
  const upstream = await startRawUpstream(result)
  const gateway = await gatewayTo(upstream.url, changes)
  closing.unshift(upstream.close)
  return { upstream, gateway }
}

async function gatewayTo(url: string, changes: Partial<GatewayOptions>): Promise<Gateway> {
  const gateway = await startGateway(sampleGatewayOptions(url, changes))
  closing.push(gateway.close)
  return gateway
}

/** Waits: the gateway records a call after the client has its last byte. */
async function settled(gateway: Gateway): Promise<void> {
  while (gateway.report().requests.inFlight > 0) await new Promise((done) => setImmediate(done))
}

const TURN = {
  say: 'I edit — ünïcode 𝄞.',
  reason: 'think',
  call: { tool: 'edit', input: { path: 'a.ts', text: 'x'.repeat(100) } },
  usage: { input: 1000, output: 60, cacheRead: 300, cacheWrite: 200, reasoning: 10 },
}

describe('metering over real sockets', () => {
  it.each(WAYS)('$protocol, streamed $stream', async ({ protocol, stream }) => {
    const { model, gateway } = await scripted({ model: 'm-1-2026', turns: [TURN] })
    const calls: CallRecord[] = []
    gateway.onCall((call) => calls.push(call))
    const response = await askModel(gateway, protocol, stream)
    expect(response.status).toBe(200)
    const text = await response.text()
    await settled(gateway)

    const direct = await askModel({ url: () => model.url, dummyKey: REAL_KEY }, protocol, stream, {
      body: model.requests[0]?.body ?? '',
    })
    expect(text).toBe((await direct.text()).replaceAll('scripted000002', 'scripted000001'))
    expect(response.headers.get('content-type')).toBe(direct.headers.get('content-type'))

    const report = gateway.report()
    expect(report).toMatchObject({
      requests: { metered: 1, inFlight: 0, unauthorized: 0, abandoned: 0 },
      steps: 1,
      toolCalls: { edit: 1 },
      firstTool: 'edit',
      tokens: { input: 1000, output: 60, cacheRead: 300 },
      knownTokens: { input: 1000, output: 60, cacheRead: 300 },
      costMicroUsd: 10600,
      unpricedCalls: 0,
      priceTable: { id: 'test' },
      models: ['m-1-2026'],
      retries: 0,
      refusals: 0,
      providerFailure: null,
      temperatures: [null],
      exhausted: null,
      ownErrors: [],
    })
    expect(calls).toMatchObject([{ number: 1, ending: 'whole', isStep: true, modelAsked: 'm-1' }])
    expect(calls[0]?.responseBytes).toBe(Buffer.byteLength(text))
    const sent = model.requests[0]
    expect(JSON.stringify(sent?.headers)).toContain(REAL_KEY)
    expect(JSON.stringify(sent)).not.toContain(gateway.dummyKey)
    expect(JSON.stringify([report, calls])).not.toContain(REAL_KEY)
    const isInjected = protocol === 'openai-chat' && stream
    if (!isInjected) expect(sent?.body).toBe(JSON.stringify(CALLS[protocol](stream).body))
    expect(calls[0]?.usageInjected).toBe(isInjected)
  })

  it('makes a sum unknown by one unknown count and keeps what is known', async () => {
    let requestedAt = 0
    const { gateway } = await raw((client) => {
      requestedAt += 1
      client.setHeader('content-type', 'application/json')
      const usage = { prompt_tokens: 50, completion_tokens: 5 }
      client.end(
        JSON.stringify({
          model: 'm',
          choices: [{ index: 0, message: { content: 'x' }, finish_reason: 'stop' }],
          ...(requestedAt === 1 ? { usage } : {}),
        }),
      )
    })
    await (await askModel(gateway, 'openai-chat', false)).text()
    await (await askModel(gateway, 'openai-chat', false, { body: '{"model":"m","n":2}' })).text()
    await settled(gateway)
    expect(gateway.report()).toMatchObject({
      steps: 2,
      tokens: { input: null, output: null, reasoning: null },
      knownTokens: { input: 50, output: 5, reasoning: 0 },
      costMicroUsd: null,
      knownCostMicroUsd: 550,
      unpricedCalls: 1,
    })
  })

  it('knows a retry by its bytes and the provider errors by status', async () => {
    const { gateway } = await scripted({
      turns: [{ say: 'ok', errors: [{ status: 429, retryAfterSeconds: 0 }, { status: 529 }] }],
    })
    for (const status of [429, 529, 200]) {
      const response = await askModel(gateway, 'anthropic', true)
      expect(response.status).toBe(status)
      await response.text()
    }
    await settled(gateway)
    expect(gateway.report()).toMatchObject({
      steps: 1,
      retries: 2,
      providerErrors: { 429: 1, 529: 1 },
      providerFailure: { count: 2, kinds: { 'rate-limited': 1, overloaded: 1 }, unrecovered: 0 },
      tokens: { input: 100, output: 20 },
    })
  })

  it('knows a retry whose session members were only shuffled, and no other body', async () => {
    const { gateway } = await scripted({ turns: [{ say: 'ok' }] })
    const { body } = CALLS['openai-responses'](true)
    for (const changes of [
      { client_metadata: { a: 1, b: 2 } },
      { client_metadata: { b: 2, a: 1 } },
      { client_metadata: { a: 1, b: 2 }, temperature: 1 },
    ]) {
      const text = JSON.stringify({ ...body, ...changes })
      await (await askModel(gateway, 'openai-responses', true, { body: text })).text()
    }
    await settled(gateway)
    expect(gateway.report()).toMatchObject({ steps: 3, retries: 1 })
  })

  it('reports a storm that never ended', async () => {
    const { gateway } = await raw((client) => client.writeHead(500).end('{"error":"x"}'))
    for (let turn = 0; turn < 4; turn++)
      await (await askModel(gateway, 'openai-responses', true)).text()
    await settled(gateway)
    const { providerFailure } = gateway.report()
    expect(providerFailure).toMatchObject({ kind: 'server-error', count: 4, unrecovered: 4 })
    expect(Date.parse(providerFailure?.lastAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(providerFailure?.firstAt ?? ''),
    )
  })

  it('answers 502 for a provider that is not there', async () => {
    const { gateway, upstream } = await raw((client) => client.end())
    await upstream.close()
    closing.shift()
    const response = await askModel(gateway, 'gemini', true)
    expect(response.status).toBe(502)
    expect(await response.text()).toContain('ECONNREFUSED')
    expect(gateway.report()).toMatchObject({ providerFailure: { kind: 'unreachable' }, steps: 0 })
  })

  it('never shows a real key that a provider repeats in its error', async () => {
    const echo = `{"error":{"message":"wrong key: ${REAL_KEY}"}}`
    const { gateway } = await raw((client) => client.writeHead(401).end(echo))
    const response = await askModel(gateway, 'openai-chat', false)
    const text = await response.text()
    expect(text).toBe(echo.replace(REAL_KEY, '*'.repeat(REAL_KEY.length)))
    await settled(gateway)
    expect(gateway.report()).toMatchObject({ providerFailure: { kind: 'unauthorised' } })
  })

  it.each([
    [
      'anthropic',
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'Your credit balance is too low to go on.',
        },
      },
    ],
    [
      'gemini',
      {
        error: {
          code: 400,
          message: 'API key not valid. Please pass one.',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
  ] as const)('knows an empty account or a bad key behind a 400 of %s', async (protocol, error) => {
    const { gateway } = await raw((client) =>
      client.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error)),
    )
    await (await askModel(gateway, protocol, true)).text()
    await settled(gateway)
    expect(gateway.report().providerFailure).toMatchObject({ kind: 'unauthorised', unrecovered: 1 })
  })

  it('reports a bug of ours without the real key, and goes on', async () => {
    const { gateway } = await scripted(
      { turns: [{ say: 'x' }] },
      {
        price: () => {
          throw new Error(`no price with ${REAL_KEY}`)
        },
      },
    )
    await (await askModel(gateway, 'openai-chat', true)).text()
    await settled(gateway)
    expect(gateway.report()).toMatchObject({
      requests: { inFlight: 0, metered: 1 },
      ownErrors: ['no price with [redacted:run-key]'],
      costMicroUsd: null,
    })
  })

  it('keeps two gateways apart', async () => {
    const one = await scripted({ turns: [TURN] })
    const two = await scripted({ turns: [TURN] })
    expect(one.gateway.url('gemini')).not.toBe(two.gateway.url('gemini'))
    await Promise.all(
      [one, two, two].map(async ({ gateway }) => {
        await (await askModel(gateway, 'openai-chat', true)).text()
        await settled(gateway)
      }),
    )
    expect([one.gateway.report().steps, two.gateway.report().steps]).toEqual([1, 2])
    const mixed = one.gateway
      .url('gemini')
      .replace(/:\d+/, `:${new URL(two.gateway.url('gemini')).port}`)
    expect((await fetch(`${mixed}/v1/models`)).status).toBe(404)
    expect(two.gateway.report().requests.unauthorized).toBe(1)
  })
})

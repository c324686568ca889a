import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { askModel } from '#lib/testing/factories/ask-model.ts'
import { REAL_KEY, sampleGatewayOptions } from '#lib/testing/factories/gateway.ts'
import type { FaultPlan } from './faults.ts'
import { startModelServer } from './model-server.ts'
import { type Gateway, startGateway } from './start-gateway.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function faulty(...faults: FaultPlan[]) {
  const model = await startModelServer(
    { turns: [{ say: 'a fairly long answer '.repeat(20) }] },
    { key: REAL_KEY, port: 0 },
  )
  const gateway = await startGateway(sampleGatewayOptions(model.url, { faults }))
  closing.push(gateway.close, model.close)
  return { model, gateway }
}

/** Returns status and text, or what broke. */
async function ask(gateway: Gateway, stream = true) {
  try {
    const response = await askModel(gateway, 'anthropic', stream)
    try {
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch {
      return { status: response.status, headers: response.headers, text: null }
    }
  } catch (error) {
    return { status: null, headers: null, text: String((error as Error).cause) }
  } finally {
    while (gateway.report().requests.inFlight > 0) await sleep(1)
  }
}

const once = { atStep: 1, times: null, forMs: null }

describe('faults between agent and provider', () => {
  it.each<[FaultPlan, number]>([
    [{ kind: 'rate-limit', ...once, retryAfterSeconds: 7 }, 429],
    [{ kind: 'server-error', ...once }, 500],
    [{ kind: 'overloaded', ...once }, 529],
  ])('$kind answers without asking the provider, then all is well', async (plan, status) => {
    const { model, gateway } = await faulty(plan)
    const broken = await ask(gateway)
    expect(broken.status).toBe(status)
    if (plan.kind === 'rate-limit') expect(broken.headers?.get('retry-after')).toBe('7')
    expect(model.requests).toEqual([])
    expect((await ask(gateway)).status).toBe(200)
    expect(gateway.report()).toMatchObject({
      steps: 1,
      retries: 1,
      tokens: { input: 100, output: 20 },
      faults: [
        { kind: plan.kind, step: 1, call: 1, evidence: expect.stringContaining(`${status}`) },
      ],
      providerErrors: {},
      providerFailure: null,
    })
  })

  it('cuts a stream after so many bytes, and still knows what it cost', async () => {
    const { gateway } = await faulty({ kind: 'cut-stream', ...once, afterBytes: 300 })
    expect(await ask(gateway)).toMatchObject({ status: 200, text: null })
    expect((await ask(gateway)).text).toContain('message_stop')
    expect(gateway.report()).toMatchObject({
      steps: 1,
      tokens: { input: 200, output: 40 },
      faults: [{ kind: 'cut-stream', evidence: 'client was sent 300 bytes of the answer' }],
      providerFailure: null,
    })
  })

  it('stalls a stream until the limit', async () => {
    const { gateway } = await faulty({
      kind: 'stalled-stream',
      ...once,
      afterBytes: 100,
      limitMs: 80,
    })
    expect(await ask(gateway)).toMatchObject({ status: 200, text: null })
    expect(gateway.report()).toMatchObject({
      steps: 0,
      tokens: { input: 100 },
      faults: [{ kind: 'stalled-stream' }],
    })
  })

  it('stalls a stream until the client gives up', async () => {
    const { gateway } = await faulty({
      kind: 'stalled-stream',
      ...once,
      afterBytes: 100,
      limitMs: 3_600_000,
    })
    const leaving = new AbortController()
    const response = await askModel(gateway, 'anthropic', true, { signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()
    while (gateway.report().requests.inFlight > 0) await sleep(1)
    expect(gateway.report().faults).toHaveLength(1)
  })

  it.each([true, false])('puts a malformed event into an answer (streamed %s)', async (stream) => {
    const { gateway } = await faulty({ kind: 'malformed-event', ...once })
    const { text } = await ask(gateway, stream)
    const clean = (await ask(gateway, stream)).text
    const bad = 'data: {"type":"content_block_delta","ind\n\n'
    expect(text).toContain(bad)
    expect(text?.replace(bad, '').replaceAll('000001', '000002')).toBe(clean)
    const steps = stream ? 2 : 1 // JSON with a prefix is not a valid response
    expect(gateway.report()).toMatchObject({ steps, faults: [{ kind: 'malformed-event' }] })
  })

  it('resets the connection', async () => {
    const { model, gateway } = await faulty({ kind: 'connection-reset', ...once })
    expect((await ask(gateway)).text).toMatch(/ECONNRESET|other side closed/)
    expect(model.requests).toEqual([])
    expect(gateway.report().faults).toMatchObject([{ kind: 'connection-reset' }])
  })

  it('hangs before the head until the limit', async () => {
    const { gateway } = await faulty({ kind: 'hang', ...once, limitMs: 60 })
    expect((await ask(gateway)).status).toBeNull()
    expect(gateway.report().faults).toMatchObject([{ evidence: 'no answer for 60 ms' }])
  })

  it('waits for its step, and hits as often as planned', async () => {
    const { gateway } = await faulty({ kind: 'overloaded', atStep: 2, times: 2, forMs: null })
    const statuses: (number | null)[] = []
    for (let turn = 0; turn < 5; turn++) statuses.push((await ask(gateway)).status)
    expect(statuses).toEqual([200, 529, 529, 200, 200])
    expect(gateway.report().faults.map(({ step, call }) => [step, call])).toEqual([
      [2, 2],
      [2, 3],
    ])
  })

  it('goes on for a time', async () => {
    let now = 0
    const { systemClock } = await import('../engine/clock.ts')
    const model = await startModelServer({ turns: [{ say: 'x' }] }, { key: null, port: 0 })
    const gateway = await startGateway(
      sampleGatewayOptions(model.url, {
        faults: [{ kind: 'server-error', atStep: 1, times: null, forMs: 1000 }],
        clock: { ...systemClock, monotonicMs: () => now },
      }),
    )
    closing.push(gateway.close, model.close)
    const statuses: (number | null)[] = []
    for (now of [0, 500, 999, 1000, 1500]) statuses.push((await ask(gateway)).status)
    expect(statuses).toEqual([500, 500, 500, 200, 200])
  })
})

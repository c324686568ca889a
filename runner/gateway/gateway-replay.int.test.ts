import { afterEach, describe, expect, it } from 'vitest'
import { askModel, CALLS, WAYS } from '#lib/testing/factories/ask-model.ts'
import { REAL_KEY, sampleGatewayOptions, startRawUpstream } from '#lib/testing/factories/gateway.ts'
import { startModelServer } from './model-server.ts'
import { Recorder } from './recorder.ts'
import type { Recording } from './recording.ts'
import { parseRecording, Replayer } from './recording.ts'
import { type Gateway, startGateway } from './start-gateway.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const ABOUT = {
  provider: 'scripted',
  models: ['m-1'],
  agent: { name: 'test', version: '1.0.0' },
  recordedAt: '2026-11-21T07:00:00.000Z',
  secrets: [REAL_KEY],
}
const NOWHERE = 'http://127.0.0.1:9'

async function settled(gateway: Gateway): Promise<void> {
  while (gateway.report().requests.inFlight > 0) await new Promise((done) => setImmediate(done))
}

async function record(url: string, ask: (gateway: Gateway) => Promise<unknown>): Promise<string> {
  const recorder = new Recorder({ places: {} })
  const gateway = await startGateway(sampleGatewayOptions(url, { recorder }))
  await ask(gateway)
  await settled(gateway)
  await gateway.close()
  return (await recorder.finish(ABOUT))?.text ?? ''
}

function parsed(text: string): Recording {
  const result = parseRecording(text)
  if (!result.ok) throw new Error(result.problem)
  return result.value
}

async function replay(recording: Recording): Promise<{ gateway: Gateway; replayer: Replayer }> {
  const replayer = new Replayer(recording, { places: {}, pace: 0 })
  const gateway = await startGateway(sampleGatewayOptions(NOWHERE, { replayer }))
  closing.push(gateway.close)
  return { gateway, replayer }
}

describe('recording and replay', () => {
  it.each(WAYS)(
    'replays $protocol, streamed $stream, byte for byte',
    async ({ protocol, stream }) => {
      const model = await startModelServer(
        { turns: [{ say: 'ünï 𝄞', call: { tool: 'edit', input: { a: 1 } } }] },
        { key: REAL_KEY, port: 0 },
      )
      closing.push(model.close)
      let first = ''
      const text = await record(model.url, async (gateway) => {
        first = await (await askModel(gateway, protocol, stream)).text()
      })
      const { gateway, replayer } = await replay(parsed(text))
      const again = await askModel(gateway, protocol, stream)
      expect(await again.text()).toBe(first)
      await settled(gateway)
      expect(replayer.left).toBe(0)
      expect(model.requests).toHaveLength(1)
      expect(gateway.report()).toMatchObject({
        steps: 1,
        tokens: { input: 100, output: 20 },
        toolCalls: { edit: 1 },
        replayMisses: [],
      })
    },
  )

  it('answers equal requests in their order, and a request it does not hold with a named miss', async () => {
    const model = await startModelServer(
      { turns: [{ say: 'x', errors: [{ status: 429, retryAfterSeconds: 3 }] }] },
      { key: null, port: 0 },
    )
    closing.push(model.close)
    const ask = async (gateway: Gateway) => {
      const response = await askModel(gateway, 'openai-chat', true)
      return [response.status, response.headers.get('retry-after'), await response.text()]
    }
    const requested: unknown[] = []
    const text = await record(model.url, async (gateway) => {
      requested.push(await ask(gateway), await ask(gateway))
    })
    const { gateway } = await replay(parsed(text))
    expect([await ask(gateway), await ask(gateway)]).toEqual(requested)
    expect(requested[0]).toMatchObject([429, '3', expect.stringContaining('rate_limit')])

    const [status, , body] = await ask(gateway)
    expect(status).toBe(400)
    expect(body).toContain('The recording contains no answer to this request')
    await settled(gateway)
    expect(gateway.report().replayMisses).toMatchObject([{ path: '/v1/chat/completions' }])
    expect(gateway.report().providerFailure).toMatchObject({ unrecovered: 0 })
  })

  it('replays a broken-off answer as broken off', async () => {
    const upstream = await startRawUpstream((client) => {
      client.writeHead(200, { 'content-type': 'text/event-stream' })
      client.write('data: {"model":"m"}\n\n', () => client.destroy())
    })
    closing.push(upstream.close)
    const broken = async (gateway: Gateway) => {
      await expect((await askModel(gateway, 'openai-chat', true)).text()).rejects.toThrow()
    }
    const recording = parsed(await record(upstream.url, broken))
    expect(recording.calls).toMatchObject([{ whole: false }])
    await broken((await replay(recording)).gateway)
  })

  it('keeps every part of growing conversations once, without any real key', async () => {
    const upstream = await startRawUpstream((client, request) => {
      const given = request.headers.authorization
      client.writeHead(200, { 'content-type': 'text/event-stream' })
      const half = REAL_KEY.length / 2
      const pieces = [REAL_KEY.slice(0, half), REAL_KEY.slice(half)]
      for (const content of [`you are ${given} `, ...pieces])
        client.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
      client.end('data: {"choices":[{"finish_reason":"stop"}]}\n\n')
    })
    closing.push(upstream.close)
    const long = 'lorem ipsum '.repeat(1000)
    const text = await record(upstream.url, async (gateway) => {
      for (let turn = 1; turn <= 5; turn++) {
        const messages = Array.from({ length: turn }, () => ({ role: 'user', content: long }))
        const body = JSON.stringify({ ...CALLS['openai-chat'](true).body, messages })
        await (await askModel(gateway, 'openai-chat', true, { body })).text()
      }
    })
    const { manifest, calls } = parsed(text)
    expect(text).not.toContain(REAL_KEY.slice(5, 20))
    expect(manifest.redaction.replaced).toBeGreaterThanOrEqual(10)
    expect(calls).toHaveLength(5)
    expect(text.length).toBeLessThan(long.length * 6)
    for (const call of calls)
      expect(call.pieces.reduce((sum, [, bytes]) => sum + bytes, 0)).toBe(
        Buffer.byteLength(call.body.data),
      )
    // Every request can be reassembled.
    let before = ''
    for (const { request } of calls) {
      const end = request.sharedEnd === 0 ? '' : before.slice(-request.sharedEnd)
      before = before.slice(0, request.sharedStart) + request.text + end
      expect(JSON.parse(before).model).toBe('m-1')
    }
    expect(JSON.parse(before).messages).toHaveLength(5)
  })

  it('refuses a recording that was changed', async () => {
    const model = await startModelServer({ turns: [{ say: 'x' }] }, { key: null, port: 0 })
    closing.push(model.close)
    const text = await record(model.url, async (gateway) => {
      await (await askModel(gateway, 'gemini', true)).text()
    })
    expect(parseRecording(text).ok).toBe(true)
    for (const changed of [text.replace('"whole":true', '"whole":false'), text.slice(1), '{}'])
      expect(parseRecording(changed)).toMatchObject({ ok: false })
  })
})

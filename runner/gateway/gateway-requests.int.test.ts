import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { REAL_KEY, sampleGatewayOptions } from '#lib/testing/factories/gateway.ts'
import { describeCall } from './call-record.ts'
import { startModelServer } from './model-server.ts'
import { startGateway } from './start-gateway.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function scripted() {
  const model = await startModelServer({ turns: [{ say: 'x' }] }, { key: REAL_KEY, port: 0 })
  const gateway = await startGateway(sampleGatewayOptions(model.url))
  closing.push(gateway.close, model.close)
  return { model, gateway }
}

describe('what is not a turn', () => {
  it('passes model lists, token counts and HEAD on with the real key, unmetered', async () => {
    const { model, gateway } = await scripted()
    const base = gateway.url('anthropic')
    expect((await fetch(`${base}/v1/models?key=mine&limit=2`)).status).toBe(200)
    expect((await fetch(`${base}/`, { method: 'HEAD' })).status).toBe(200)
    const body = '{"model":"m","messages":[]}'
    const counted = await fetch(`${base}/v1/messages/count_tokens`, { method: 'POST', body })
    expect(await counted.json()).toMatchObject({ input_tokens: 100 })
    expect(model.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
      REAL_KEY,
      REAL_KEY,
      REAL_KEY,
    ])
    expect(gateway.report()).toMatchObject({ requests: { passedOn: 3, metered: 0 }, steps: 0 })
  })

  it('refuses unknown callers, unmeterable work, encodings, large and broken bodies', async () => {
    const { model, gateway } = await scripted()
    const base = gateway.url('openai-chat')
    const post = (path: string, init: RequestInit) =>
      fetch(`${base}${path}`, { method: 'POST', ...init })
    expect((await post('/v1/files', { body: 'x' })).status).toBe(403)
    expect((await fetch(`${base}/v1/files/file-1/content`)).status).toBe(403)
    expect((await post('/v1/chat/completions', { body: '[1]' })).status).toBe(400)
    expect((await post('/v1/../v1/models', { body: '{}' })).status).toBe(403)
    const headers = { 'content-encoding': 'gzip' }
    expect((await post('/v1/chat/completions', { body: 'x', headers })).status).toBe(415)
    const large = new Uint8Array((64 << 20) + 1)
    expect([413, 'cut']).toContain(
      await post('/v1/chat/completions', { body: large }).then(
        ({ status }) => status,
        () => 'cut', // the response may come while the client is still sending
      ),
    )
    expect(
      (await fetch(base.replace(/[^/]+\/openai-chat$/, 'guess/openai-chat/v1/models'))).status,
    ).toBe(404)
    expect((await fetch(base.replace(/openai-chat$/, 'other/v1/models'))).status).toBe(404)
    expect(model.requests).toEqual([])
    expect(gateway.report().requests).toMatchObject({ unauthorized: 2, refused: 6, metered: 0 })
  })

  it('does not read what the provider keeps by a path that climbs out of the models', async () => {
    const { model, gateway } = await scripted()
    const { hostname, port, pathname } = new URL(gateway.url('openai-responses'))
    for (const path of ['/v1/models/..\\files', '/v1/models/..\\responses\\resp_1']) {
      const status = await new Promise((resolve, reject) => {
        httpRequest({ hostname, port, path: `${pathname}${path}` }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
          .once('error', reject)
          .end()
      })
      expect(status).toBe(404)
    }
    expect(model.requests).toEqual([])
  })

  it('refuses a body that no reader could follow; the attempt is not void by it', async () => {
    const { gateway } = await scripted()
    const messages = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const response = await fetch(`${gateway.url('openai-chat')}/v1/chat/completions`, {
      method: 'POST',
      body: `{"model":"m","stream":true,"messages":${messages}}`,
    })
    expect(response.status).toBe(400)
    expect(gateway.report().ownErrors).toEqual([])
  })

  it('takes up only what was answered in this attempt, and no tool that reaches the internet without a network', async () => {
    const model = await startModelServer({ turns: [{ say: 'x' }] }, { key: REAL_KEY, port: 0 })
    const gateway = await startGateway(sampleGatewayOptions(model.url, { isOffline: true }))
    closing.push(gateway.close, model.close)
    const leftOut: unknown[] = []
    gateway.onCall((call) => leftOut.push(describeCall(call).toolsLeftOut))
    const ask = async (body: object) => {
      const url = `${gateway.url('openai-responses')}/v1/responses`
      const response = await fetch(url, {
        method: 'POST',
        body: JSON.stringify({ model: 'm', input: 'x', ...body }),
      })
      return { status: response.status, json: (await response.json()) as { id?: string } }
    }
    const tools = [{ type: 'function', name: 'edit' }, { type: 'web_search' }]
    const first = await ask({ tools })
    expect(first.status).toBe(200)
    expect((await ask({ previous_response_id: first.json.id })).status).toBe(200)
    expect((await ask({ previous_response_id: 'resp_of_another_attempt' })).status).toBe(400)
    expect((await ask({ tools: tools.slice(1) })).status).toBe(400)
    expect(model.requests.map(({ body }) => JSON.parse(String(body)).tools)).toEqual([
      tools.slice(0, 1),
      undefined,
    ])
    expect(gateway.report()).toMatchObject({ steps: 2, ownErrors: [] })
    expect(leftOut).toEqual([['web_search'], undefined, undefined, undefined])
  })

  it('refuses an answer that would be fetched later, which no step would count', async () => {
    const { model, gateway } = await scripted()
    const response = await fetch(`${gateway.url('openai-responses')}/v1/responses`, {
      method: 'POST',
      body: '{"model":"m","input":"x","background":true}',
    })
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('Send it without.'),
    ])
    expect(model.requests).toEqual([])
    expect(gateway.report()).toMatchObject({ steps: 0 })
  })

  it('refuses WebSocket upgrades so that clients fall back', async () => {
    const { gateway } = await scripted()
    const url = `${gateway.url('openai-responses')}/v1/responses`
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    const status = await new Promise((resolve, reject) => {
      httpRequest(url, { headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .once('error', reject)
        .end()
    })
    expect(status).toBe(426)
    expect(gateway.report().requests.upgradesRefused).toBe(1)
  })
})

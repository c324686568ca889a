import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { askModel } from '#lib/testing/factories/ask-model.ts'
import {
  type RawUpstream,
  sampleGatewayOptions,
  startRawUpstream,
} from '#lib/testing/factories/gateway.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { type Gateway, startGateway } from './start-gateway.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function between(
  result: Parameters<typeof startRawUpstream>[0],
  changes: Partial<GatewayOptions> = {},
): Promise<{ upstream: RawUpstream; gateway: Gateway }> {
  const upstream = await startRawUpstream(result)
  const gateway = await startGateway(sampleGatewayOptions(upstream.url, changes))
  closing.push(gateway.close, upstream.close)
  return { upstream, gateway }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(2)
}

const SSE = { 'content-type': 'text/event-stream' }

describe('the stream itself', () => {
  it('passes any bytes in any pieces unchanged, both ways', async () => {
    let pieces: Uint8Array[] = []
    const { upstream, gateway } = await between(async (client) => {
      client.writeHead(200, { ...SSE, 'x-mine': '1', connection: 'x-hop', 'x-hop': '1' })
      for (const piece of pieces) {
        client.write(piece)
        await new Promise((done) => setImmediate(done))
      }
      client.end()
    })
    const anyPieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(anyPieces, fc.json(), async (bytes, json) => {
        pieces = bytes
        const body = `{"model" : "m","x":${json}}`
        const response = await askModel(gateway, 'anthropic', true, { body })
        expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.concat(bytes))
        expect(response.headers.get('x-mine')).toBe('1')
        expect(response.headers.get('x-hop')).toBeNull()
        expect(upstream.bodies.at(-1)?.toString()).toBe(body)
      }),
      { numRuns: 40 },
    )
    expect(gateway.report().ownErrors).toEqual([])
  })

  it('asks for plain bytes, and still meters and passes on an answer that came compressed', async () => {
    const plain =
      'data: {"type":"message_start","message":{"model":"m","usage":{"input_tokens":7}}}\n\n'
    const packed = gzipSync(plain)
    const { upstream, gateway } = await between((client) => {
      client.writeHead(200, { ...SSE, 'content-encoding': 'gzip', 'content-length': packed.length })
      client.end(packed)
    })
    const response = await askModel(gateway, 'anthropic', true)
    expect(await response.text()).toBe(plain)
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(upstream.requests[0]?.headers['accept-encoding']).toBe('identity')
    await until(() => gateway.report().requests.inFlight === 0)
    expect(gateway.report().tokens.input).toBe(7)
  })

  it('hands on each event before the next one exists', async () => {
    let next = () => {}
    const { gateway } = await between(async (client) => {
      client.writeHead(200, SSE)
      for (const word of ['one', 'two', 'three']) {
        client.write(`data: ${word}\n\n`)
        await new Promise<void>((go) => {
          next = go
        })
      }
      client.end()
    })
    const response = await askModel(gateway, 'openai-responses', true)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (const word of ['one', 'two', 'three']) {
      // The provider sends the next event only after this one has arrived here.
      expect((await reader?.read())?.value).toBe(`data: ${word}\n\n`)
      next()
    }
    expect((await reader?.read())?.done).toBe(true)
  })

  it('lets the provider go when the agent leaves', async () => {
    let closed = 0
    const { gateway } = await between((client) => {
      client.writeHead(200, SSE).write('data: {"model":"m"}\n\n')
      client.once('close', () => (closed += 1))
    })
    const leaving = new AbortController()
    const response = await askModel(gateway, 'openai-chat', true, { signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()
    await until(() => closed === 1 && gateway.report().requests.inFlight === 0)
    expect(gateway.report()).toMatchObject({
      steps: 0,
      requests: { abandoned: 1 },
      tokens: { input: null },
      providerFailure: null,
      ownErrors: [],
    })
  })

  it('lets the provider go when the agent leaves before the head', async () => {
    let closed = 0
    const { gateway, upstream } = await between((client) =>
      client.once('close', () => (closed += 1)),
    )
    const leaving = new AbortController()
    const request = askModel(gateway, 'gemini', true, { signal: leaving.signal }).catch(
      () => 'left',
    )
    await until(() => upstream.requests.length === 1)
    leaving.abort()
    expect(await request).toBe('left')
    await until(() => closed === 1 && gateway.report().requests.inFlight === 0)
    expect(gateway.report()).toMatchObject({ requests: { abandoned: 1 }, providerFailure: null })
  })

  it('breaks off towards the agent when the provider breaks off', async () => {
    const { gateway } = await between((client) => {
      client.writeHead(200, SSE).write('data: {"model":"m"}\n\n', () => client.destroy())
    })
    const response = await askModel(gateway, 'openai-chat', true)
    await expect(response.text()).rejects.toThrow()
    await until(() => gateway.report().requests.inFlight === 0)
    expect(gateway.report()).toMatchObject({
      steps: 0,
      providerFailure: { kind: 'cut', unrecovered: 1 },
    })
  })

  it('does not take a polite end without the last word for a turn', async () => {
    const { gateway } = await between((client) =>
      client
        .writeHead(200, SSE)
        .end('data: {"model":"m","choices":[{"delta":{"content":"x"}}]}\n\n'),
    )
    await (await askModel(gateway, 'openai-chat', true)).text()
    await until(() => gateway.report().requests.inFlight === 0)
    expect(gateway.report()).toMatchObject({ steps: 0, providerFailure: { kind: 'cut' } })
  })

  it('holds a 200 MB stream back for a slow agent instead of holding it in memory', {
    tags: 'night',
  }, async () => {
    const piece = Buffer.alloc(1 << 20, `data: {"x":"${'0123456789'.repeat(12)}"}\n\n`)
    const total = 200
    let written = 0
    const hash = createHash('sha256')
    const { gateway } = await between(async (client) => {
      client.writeHead(200, SSE)
      for (; written < total; written++) {
        hash.update(piece)
        if (!client.write(piece)) await new Promise((done) => client.once('drain', done))
      }
      client.end()
    })
    const before = process.memoryUsage.rss()
    let max = before
    const heard = createHash('sha256')
    await new Promise<void>((resolve, reject) => {
      const url = `${gateway.url('openai-responses')}/v1/responses`
      const request = httpRequest(url, { method: 'POST' }, async (response) => {
        await sleep(300)
        const ahead = written
        // Without a reader, data in transit fits into the sockets' own buffers.
        expect(ahead).toBeLessThan(40)
        for await (const chunk of response) {
          heard.update(chunk)
          max = Math.max(max, process.memoryUsage.rss())
        }
        resolve()
      })
      request.once('error', reject).end('{"model":"m","stream":true}')
    })
    expect(heard.digest('hex')).toBe(hash.digest('hex'))
    expect((max - before) / (1 << 20)).toBeLessThan(120)
  })
})

describe('connections', () => {
  it('are stored for the next turn', async () => {
    const { gateway, upstream } = await between((client) =>
      client.writeHead(200, SSE).end('data: 1\n\n'),
    )
    for (let turn = 0; turn < 5; turn++) {
      await (await askModel(gateway, 'openai-chat', true)).text()
      await until(() => gateway.report().requests.inFlight === 0)
    }
    expect(upstream.connections()).toBe(1)
  })

  it('that the provider closed meanwhile are replaced without the agent noticing', async () => {
    const { gateway, upstream } = await between((client, request) => {
      client.writeHead(200, SSE).end('data: 1\n\n')
      setImmediate(() => request.socket.resetAndDestroy())
    })
    for (let turn = 0; turn < 20; turn++)
      expect(
        (await askModel(gateway, 'openai-chat', true).then((response) => response.text())).length,
      ).toBe(9)
    expect(upstream.connections()).toBeGreaterThan(1)
  })
})

describe('the end', () => {
  it('leaves no socket and ends what was under way', async () => {
    const { gateway, upstream } = await between((client) =>
      client.writeHead(200, SSE).write('data: 1\n\n'),
    )
    const response = await askModel(gateway, 'openai-chat', true)
    const text = response.text().catch(() => 'cut')
    await fetch(`${gateway.url('openai-chat')}/v1/models`).catch(() => {})
    await gateway.close()
    await gateway.close()
    expect(await text).toBe('cut')
    await until(() => upstream.openSockets() === 0)
    await expect(fetch(gateway.url('gemini'))).rejects.toThrow()
    expect(gateway.report()).toMatchObject({ requests: { inFlight: 0 }, ownErrors: [] })
  })

  it('has written down every call that was heard to its end', async () => {
    for (let round = 0; round < 20; round++) {
      const { gateway } = await between((client) =>
        client
          .writeHead(200, SSE)
          .end('data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n'),
      )
      await (await askModel(gateway, 'openai-chat', true)).text()
      await gateway.close()
      expect(gateway.report()).toMatchObject({ steps: 1, requests: { inFlight: 0, abandoned: 0 } })
    }
  })

  it('ends with its signal', async () => {
    const stop = new AbortController()
    const { gateway } = await between((client) => client.end(), { signal: stop.signal })
    stop.abort()
    await gateway.close()
    await expect(fetch(gateway.url('gemini'))).rejects.toThrow()
  })

  it('listens on a socket for a sandbox, and removes it', async () => {
    const path = join(tmpdir(), `proofboard-gw-${process.pid}.sock`)
    const { gateway } = await between(
      (client) => client.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}'),
      { listen: { kind: 'socket', path, seenAs: 'http://127.0.0.1:8787' } },
    )
    const url = new URL(`${gateway.url('openai-chat')}/v1/models`)
    expect(url.origin).toBe('http://127.0.0.1:8787')
    const status = await new Promise((resolve) =>
      httpRequest({ socketPath: path, path: url.pathname }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).end(),
    )
    expect(status).toBe(200)
    await gateway.close()
    const error = await new Promise<NodeJS.ErrnoException>((resolve) =>
      connect(path).once('error', resolve),
    )
    expect(error.code).toBe('ENOENT')
  })
})

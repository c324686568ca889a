import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '#runner/engine/clock.ts'
import type { GatewayOptions } from '#runner/gateway/gateway-options.ts'

export const REAL_KEY = 'sk-real-Zq83hTbW02LmXv71Kd55Np'

/**
 * Gateway options for one provider at `baseUrl` that speaks all protocols: no limits, no pins, ten micro-dollars a
 * token.
 */
export function sampleGatewayOptions(
  baseUrl: string,
  changes: Partial<GatewayOptions> = {},
): GatewayOptions {
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

export type RawUpstream = {
  url: string
  /** Request bodies as received. */
  bodies: Buffer[]
  requests: IncomingMessage[]
  /** Number of open connections. */
  openSockets: () => number
  /** Number of connections so far. */
  connections: () => number
  close: () => Promise<void>
}

/** Starts a provider whose every byte is written by the test. */
export async function startRawUpstream(
  result: (client: ServerResponse, request: IncomingMessage, body: Buffer) => void,
): Promise<RawUpstream> {
  const bodies: Buffer[] = []
  const requests: IncomingMessage[] = []
  let open = 0
  let opened = 0
  const server = createServer(async (request, client) => {
    client.on('error', () => {})
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    requests.push(request)
    bodies.push(Buffer.concat(pieces))
    result(client, request, Buffer.concat(pieces))
  })
  server.on('connection', (socket) => {
    open += 1
    opened += 1
    socket.once('close', () => (open -= 1))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    requests,
    openSockets: () => open,
    connections: () => opened,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ToolCall } from '#lib/domain/record/index.ts'
import { PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'
import { answerTurn } from './answer-turn.ts'
import type { CallListener } from './call-ledger.ts'
import type { UpstreamPool } from './call-upstream.ts'
import { buildReport, type GatewayContext, makeContext, noteOwnError } from './gateway-context.ts'
import type { GatewayOptions } from './gateway-options.ts'
import type { GatewayReport } from './gateway-report.ts'
import { answerHeaders, requestHeaders, type Upstream, upstreamUrl } from './headers.ts'
import { errorBody, JSON_TYPE, readClientBody, sendWhole } from './http.ts'
import { cleanError, relay } from './relay.ts'
import { plainPath, readAskedTurn, routeRequest } from './route-request.ts'

export type Gateway = {
  /** Base URL for an agent, without `/v1` and without a trailing slash. */
  url: (protocol: Protocol) => string
  /** Given to an agent in place of a key. */
  dummyKey: string
  /** A live snapshot; complete once the gateway is closed, because a call is recorded after its last byte was sent. */
  report: () => GatewayReport
  /** The tool calls of every step so far, in the order the steps ended. */
  toolSteps: () => ToolCall[][]
  /** Calls the listener for every finished call; returns a function that unsubscribes. */
  onCall: (listener: CallListener) => () => void
  /** Ends all running calls and leaves no socket; safe to call twice. Close before reading the final report. */
  close: () => Promise<void>
}

/** Grace period for calls whose last byte is being sent when the gateway is closed. */
const GRACE_MS = 200

/** Exceeds the time a client keeps a connection for its next turn. */
const KEPT_OPEN_MS = 10 * 60_000

/**
 * Starts the metering proxy of one episode between an agent and its provider. Passes bytes through without translating.
 * Throws if it cannot listen.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const context = makeContext(options)
  const serving = new Set<Promise<void>>()
  const server = createServer({ noDelay: true, keepAliveTimeout: KEPT_OPEN_MS, requestTimeout: 0 })
  server.on('request', (request, client) => {
    client.on('error', () => {}) // the client left; its call records that
    const done = handleRequest(context, request, client)
      .catch((error) => {
        noteOwnError(context, error)
        client.destroy()
      })
      .finally(() => serving.delete(done))
    serving.add(done)
  })
  server.on('upgrade', (_request, socket) => {
    context.counts.upgradesRefused += 1
    refuseUpgrade(socket)
  })
  const onTimeUp = () => context.line.wake()
  options.deadline?.addEventListener('abort', onTimeUp, { once: true })
  const origin = await listen(server, options.listen)
  const close = closeOnce(server, context.pool, serving)
  options.signal.addEventListener('abort', close, { once: true })
  if (options.signal.aborted) await close()
  return {
    url: (protocol) => `${origin}/${context.secret}/${protocol}`,
    dummyKey: context.dummyKey,
    report: () => buildReport(context),
    toolSteps: () => context.ledger.toolSteps(),
    onCall: (listener) => context.ledger.listen(listener),
    close: () => {
      options.signal.removeEventListener('abort', close)
      return close()
    },
  }
}

async function listen(server: Server, where: GatewayOptions['listen']): Promise<string> {
  if (where.kind === 'socket') server.listen(where.path)
  else server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  if (where.kind === 'socket') return where.seenAs
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Waits for calls that are being recorded; an agent that just ended has received them completely. */
async function waitForCalls(serving: ReadonlySet<Promise<void>>, limitMs: number): Promise<void> {
  const done = new AbortController()
  await Promise.race([
    Promise.allSettled(serving),
    sleep(limitMs, undefined, { signal: done.signal }).catch(() => {}),
  ])
  done.abort()
}

function closeOnce(
  server: Server,
  pool: UpstreamPool,
  serving: ReadonlySet<Promise<void>>,
): () => Promise<void> {
  let closing: Promise<void> | null = null
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    await waitForCalls(serving, GRACE_MS)
    server.closeAllConnections()
    pool.close()
    await Promise.allSettled(serving)
    pool.close() // a call that was just starting
    await closed
  }
  return () => {
    closing ??= close()
    return closing
  }
}

const BODY =
  '{"error":{"message":"The gateway speaks HTTP only; repeat the request without an upgrade."}}'

/** WebSockets cannot be metered here: 426 is what makes clients fall back to HTTP at once. */
function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => {})
  socket.end(
    [
      'HTTP/1.1 426 Upgrade Required',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${BODY.length}`,
      '',
      BODY,
    ].join('\r\n'),
    () => socket.destroy(),
  )
}

const MAX_BODY_BYTES = 64 << 20

type Target = { upstream: Upstream; protocol: Protocol; path: string; query: URLSearchParams }

/** Handles one request: rejects unknown callers, passes the rest to the meter or straight through. */
async function handleRequest(
  context: GatewayContext,
  request: IncomingMessage,
  client: ServerResponse,
): Promise<void> {
  const target = findTarget(context, request.url ?? '/')
  if (!target) {
    context.counts.unauthorized += 1
    return await sendWhole(client, 404, JSON_TYPE, '{"error":{"message":"Not found."}}')
  }
  const refuse = (status: number, message: string) => {
    context.counts.refused += 1
    // The rest of the request is not read, so the connection cannot be reused.
    const headers = { ...JSON_TYPE, connection: 'close' }
    return sendWhole(client, status, headers, errorBody(target.protocol, status, message))
  }
  const route = routeRequest(request.method ?? 'GET', target.path)
  if (route.kind === 'refused')
    return await refuse(403, 'The gateway does not pass this request on: it cannot be metered.')
  if (isEncoded(request)) return await refuse(415, 'Send the request body without an encoding.')
  const bytes = await bodyOf(context, request)
  if (bytes === 'disconnected') return
  if (bytes === 'too-large') return await refuse(413, 'The request body is larger than 64 MB.')
  if (route.kind === 'free') return await forwardUnmetered(context, target, request, bytes, client)
  const read = readAskedTurn(route, { ...target, headers: request.headers }, bytes)
  if (!read.ok) return await refuse(400, read.reason)
  await answerTurn(context, target.upstream, read.request, client)
}

function isEncoded({ headers }: IncomingMessage): boolean {
  return !['', 'identity'].includes(headers['content-encoding'] ?? '')
}

async function bodyOf(
  { counts }: GatewayContext,
  request: IncomingMessage,
): Promise<Buffer | 'too-large' | 'disconnected'> {
  try {
    return (await readClientBody(request, MAX_BODY_BYTES)) ?? 'too-large'
  } catch {
    counts.abandoned += 1
    return 'disconnected'
  }
}

/** `/<secret>/<protocol>/<path of the provider>`; null without the secret. */
function findTarget({ secret, options }: GatewayContext, url: string): Target | null {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const [, given = '', name = '', ...rest] = path.split('/')
  if (!isSame(given, secret)) return null
  const protocol = PROTOCOLS.find((one) => one === name)
  const upstream = protocol && options.upstreams[protocol]
  const plain = plainPath(`/${rest.join('/')}`)
  if (!protocol || !upstream || plain === null) return null
  return { upstream, protocol, path: plain, query: new URLSearchParams(query) }
}

function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Forwards a request that costs nothing (model lists, token counts, HEAD /) with the real key, unmetered. */
async function forwardUnmetered(
  context: GatewayContext,
  target: Target,
  request: IncomingMessage,
  body: Buffer,
  client: ServerResponse,
): Promise<void> {
  const { pool, dummyKey, secret, realKeys, options } = context
  context.counts.passedOn += 1
  const fail = (status: number, message: string) =>
    sendWhole(client, status, JSON_TYPE, errorBody(target.protocol, status, message))
  if (options.replayer) return await fail(404, 'A replay has no provider to ask.')
  const disconnect = new AbortController()
  const onClose = () => disconnect.abort()
  client.once('close', onClose)
  const hasBody = body.length > 0
  try {
    const response = await pool.call({
      url: upstreamUrl(target.upstream, target.path, target.query),
      method: request.method ?? 'GET',
      headers: requestHeaders(
        request.headers,
        target.upstream.headers,
        hasBody ? body.length : null,
        [dummyKey, secret],
      ),
      body: hasBody ? body : null,
      signal: disconnect.signal,
    })
    client.writeHead(response.status, answerHeaders(response.headers))
    const clean = response.status >= 400 ? cleanError(response, realKeys) : response
    await relay(clean, client, () => undefined, null)
  } catch (error) {
    if (disconnect.signal.aborted) return
    await fail(502, `The provider could not be reached (${(error as NodeJS.ErrnoException).code}).`)
  } finally {
    client.removeListener('close', onClose)
  }
}

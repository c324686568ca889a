import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ToolCall } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { secretFinder } from '../redact/find-secrets.ts'
import { redactText } from '../redact/redact.ts'
import { AdmissionLine } from './admission.ts'
import { CallLedger, type CallListener } from './call-ledger.ts'
import { UpstreamPool } from './call-upstream.ts'
import { FaultLine } from './faults.ts'
import type { GatewayContext } from './gateway-context.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { faultOutcome, type GatewayReport } from './gateway-report.ts'
import { handleRequest } from './handle-request.ts'

export type Gateway = {
  /** Base URL for an agent, without `/v1` and without a slash at the end. */
  url: (protocol: Protocol) => string
  /** What an agent is given in place of a key. */
  dummyKey: string
  /** A live snapshot; complete once the gateway is closed, as a call is written down after its last byte was sent. */
  report: () => GatewayReport
  /** The tool calls of every step so far, in the order in which the steps ended. */
  toolSteps: () => ToolCall[][]
  /** Hears every finished call; answers a function that ends the listening. */
  onCall: (listener: CallListener) => () => void
  /** Ends all calls under way and leaves no socket; safe to call twice. Close first, then read the report. */
  close: () => Promise<void>
}

/** For calls whose last byte is on its way when the gateway is closed. */
const GRACE_MS = 200

/** Longer than any client keeps a connection for its next turn. */
const KEPT_OPEN_MS = 10 * 60_000

/**
 * Starts the metering proxy of one episode between an agent and its provider. It passes bytes through, never translates.
 * Throws when it cannot listen.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const context = makeContext(options)
  const serving = new Set<Promise<void>>()
  const server = createServer({ noDelay: true, keepAliveTimeout: KEPT_OPEN_MS, requestTimeout: 0 })
  server.on('request', (request, client) => {
    client.on('error', () => {}) // the client left; its call says so
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

function makeContext(options: GatewayOptions): GatewayContext {
  const context: GatewayContext = {
    options,
    pool: new UpstreamPool(),
    ledger: new CallLedger(options.clock, (error) => noteOwnError(context, error)),
    line: new AdmissionLine(options.budgets),
    faults: new FaultLine(options.faults),
    secret: randomBytes(24).toString('base64url'),
    dummyKey: `sk-proofboard-${randomBytes(16).toString('hex')}`,
    realKeys: realKeys(options),
    counts: { passedOn: 0, unauthorized: 0, upgradesRefused: 0, refused: 0, abandoned: 0 },
    spent: null,
    blocked: 0,
    replayMisses: [],
    ownErrors: [],
  }
  return context
}

/** The header values, and what follows a scheme such as Bearer. */
function realKeys({ upstreams }: GatewayOptions): string[] {
  const values = Object.values(upstreams).flatMap((upstream) => Object.values(upstream.headers))
  return [...new Set(values.flatMap((value) => [value, value.replace(/^\w+ /, '')]))].filter(
    (value) => value.length >= 8,
  )
}

function noteOwnError({ ownErrors, realKeys: keys }: GatewayContext, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  ownErrors.push(redactText(message, secretFinder(keys)).text)
}

async function listen(server: Server, where: GatewayOptions['listen']): Promise<string> {
  if (where.kind === 'socket') server.listen(where.path)
  else server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  if (where.kind === 'socket') return where.seenAs
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Waits for calls that are just being written down; an agent that ended a moment ago has heard them to the end. */
async function settled(serving: ReadonlySet<Promise<void>>, limitMs: number): Promise<void> {
  const enough = new AbortController()
  await Promise.race([
    Promise.allSettled(serving),
    sleep(limitMs, undefined, { signal: enough.signal }).catch(() => {}),
  ])
  enough.abort()
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
    await settled(serving, GRACE_MS)
    server.closeAllConnections()
    pool.close()
    await Promise.allSettled(serving)
    pool.close() // a call that was just being started
    await closed
  }
  return () => {
    closing ??= close()
    return closing
  }
}

/** What the gateway saw up to now; a copy that later calls do not change. */
function buildReport(context: GatewayContext): GatewayReport {
  const { options, ledger, counts, faults, spent, replayMisses, ownErrors } = context
  const totals = ledger.tally()
  return structuredClone({
    ...totals,
    requests: {
      ...counts,
      metered: ledger.metered,
      inFlight: ledger.inFlight,
      abandoned: counts.abandoned + ledger.abandoned,
    },
    exhausted: spent,
    faults: faults.fired,
    faultOutcomes: options.faults.map((plan) => faultOutcome(plan, faults.fired, totals.steps)),
    replayMisses,
    ownErrors,
  })
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

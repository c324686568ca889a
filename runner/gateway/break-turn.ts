import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { FaultPlan } from './faults.ts'
import { errorBody, sendWhole } from './http.ts'
import type { Interference } from './relay.ts'

type BrokenTurn = { status: number | null; evidence: string }

/** Injects a fault without calling the provider; returns null if the fault disturbs a running response instead. */
export async function breakTurn(
  plan: FaultPlan,
  protocol: Protocol,
  client: ServerResponse,
): Promise<BrokenTurn | null> {
  const response = faultAnswer(plan, protocol)
  if (response) {
    await sendWhole(client, response.status, response.headers, response.body)
    return {
      status: response.status,
      evidence: `answered ${response.status} without asking the provider`,
    }
  }
  if (plan.kind === 'connection-reset') {
    reset(client)
    return { status: null, evidence: 'connection reset before any answer' }
  }
  if (plan.kind !== 'hang') return null
  const gaveUp = await hang(client, plan.limitMs)
  client.destroy()
  return {
    status: null,
    evidence: gaveUp ? 'no answer until the client gave up' : `no answer for ${plan.limitMs} ms`,
  }
}

/** Sends RST if the transport has one, so that the client sees a reset instead of an end. */
function reset(client: ServerResponse): void {
  const { socket } = client
  if (socket && socket.remoteAddress !== undefined) socket.resetAndDestroy()
  else client.destroy()
}

/** Returns true if the client left first. */
async function hang(client: ServerResponse, limitMs: number): Promise<boolean> {
  const left = new AbortController()
  const onClose = () => left.abort()
  client.once('close', onClose)
  if (client.closed) left.abort()
  await sleep(limitMs, undefined, { signal: left.signal }).catch(() => {})
  client.removeListener('close', onClose)
  return left.signal.aborted
}

type FaultAnswer = { status: number; headers: Record<string, string>; body: string }

/** The error response of a fault that replaces the provider's; null for faults without a response. */
function faultAnswer(plan: FaultPlan, protocol: Protocol): FaultAnswer | null {
  switch (plan.kind) {
    case 'rate-limit':
      return respond(protocol, 429, 'Rate limit reached, try again later.', {
        'retry-after': String(plan.retryAfterSeconds),
      })
    case 'server-error':
      return respond(protocol, 500, 'Internal server error.')
    case 'overloaded':
      return respond(protocol, 529, 'Overloaded.')
    default:
      return null
  }
}

function respond(
  protocol: Protocol,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): FaultAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: errorBody(protocol, status, message),
  }
}

/** Half a JSON object in an event of its own. */
const MALFORMED = Buffer.from('data: {"type":"content_block_delta","ind\n\n')

/** Returns how a fault disturbs a running response; null for faults that end before one begins. */
export function interfere(plan: FaultPlan): Interference | null {
  switch (plan.kind) {
    case 'cut-stream':
      return { pass: upTo(plan.afterBytes, 'cut'), stalled: async () => {} }
    case 'stalled-stream':
      return {
        pass: upTo(plan.afterBytes, 'stall'),
        stalled: (gone) => sleep(plan.limitMs, undefined, { signal: gone }).catch(() => {}),
      }
    case 'malformed-event':
      return { pass: malform(), stalled: async () => {} }
    default:
      return null
  }
}

function upTo(limit: number, last: 'cut' | 'stall'): Interference['pass'] {
  let passed = 0
  return (chunk) => {
    const bytes = chunk.subarray(0, limit - passed)
    passed += bytes.length
    return { bytes, next: passed >= limit ? last : 'go' }
  }
}

/** Inserts the broken event after the first complete one; a response without events gets it at its start. */
function malform(): Interference['pass'] {
  let done = false
  let lastByte = 0
  return (chunk) => {
    if (done) return { bytes: chunk, next: 'go' }
    const isJson = lastByte === 0 && (chunk[0] === 0x7b || chunk[0] === 0x5b)
    const cut = isJson ? 0 : endOfEvent(chunk, lastByte)
    lastByte = chunk.at(-1) ?? lastByte
    if (cut === null) return { bytes: chunk, next: 'go' }
    done = true
    return {
      bytes: Buffer.concat([chunk.subarray(0, cut), MALFORMED, chunk.subarray(cut)]),
      next: 'go',
    }
  }
}

function endOfEvent(chunk: Uint8Array, before: number): number | null {
  const text = Buffer.from(chunk).toString('latin1')
  if (before === 10 && text.startsWith('\n')) return 1
  const found = /\r?\n\r?\n/.exec(text)
  return found ? found.index + found[0].length : null
}

import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { statesCost } from '#lib/domain/prices/index.ts'
import { type Reservation, reserveTokens } from './admission.ts'
import { breakTurn } from './break-turn.ts'
import { findSpentBudget, heldByUnread, type SpentBudget, TIME_SPENT } from './budgets.ts'
import type { OpenCall } from './call-ledger.ts'
import type { CallEnding } from './call-record.ts'
import type { FaultPlan } from './faults.ts'
import type { GatewayContext } from './gateway-context.ts'
import type { Upstream } from './headers.ts'
import { errorBody, JSON_TYPE, sendWhole } from './http.ts'
import { findForeignState } from './kept-state.ts'
import { pinRequest } from './pins.ts'
import { findAnswer, relayTurn } from './relay-turn.ts'
import { type AskedTurn, isDeferred } from './route-request.ts'
import { settleUnanswered } from './settle-call.ts'
import { UNKNOWN_TOKENS } from './tokens.ts'
import { withoutWeb } from './web-tools.ts'
import type { WireTurn } from './wire-turn.ts'
import { writeTurn } from './write-turn.ts'

/**
 * Handles one model turn from request to last byte: budget, pins, planned fault, response, meter. Every ending is a
 * value in the call's record; an exception is a bug.
 */
export async function answerTurn(
  context: GatewayContext,
  upstream: Upstream,
  asked: AskedTurn,
  client: ServerResponse,
): Promise<void> {
  const { ledger } = context
  const { transcriber } = context.options
  const call = ledger.open(asked)
  transcriber?.ask(call.record.number, asked)
  try {
    await serve(context, upstream, asked, call, client)
  } finally {
    ledger.close(call)
    transcriber?.settle(call.record)
    context.line.leave(call)
  }
}

async function serve(
  context: GatewayContext,
  upstream: Upstream,
  asked: AskedTurn,
  call: OpenCall,
  client: ServerResponse,
): Promise<void> {
  const sent = context.options.isOffline
    ? withoutWeb(asked)
    : { ok: true as const, ...asked, leftOut: [] }
  const known = sent.ok ? { ...asked, json: sent.json } : asked
  const block = await admit(context, upstream, known, call, client)
  if (block === 'gone') {
    call.record.ending = 'client-gone'
    return
  }
  if (block) {
    call.record.ending = 'budget'
    call.record.status = await blockTurn(context, asked, block, client)
    return
  }
  const pinned = prepare(context, upstream, asked, call, sent)
  if (!pinned.ok) return await refuse(asked, call, client, 400, 'refused', pinned.reason)
  call.record.temperature = pinned.temperature
  call.record.usageInjected = pinned.usageAsked
  if (sent.ok) call.record.toolsLeftOut = sent.leftOut
  const fault = takeFault(context)
  // No provider works on a call while a fault is injected.
  call.isForwarded = fault === null
  if (fault && (await playFault(context, fault, asked, call, client))) return
  call.isForwarded = true
  const found = await findAnswer(context, upstream, asked, pinned.text, client)
  switch (found.kind) {
    case 'answer':
      call.record.source = found.source
      return await relayTurn(context, upstream, asked, call, client, found.answer, fault)
    case 'client-gone':
      call.record.source = 'upstream'
      call.record.ending = 'client-gone'
      return settleUnanswered(call.record, upstream, context.options.price)
    case 'unreachable':
      call.record.source = 'upstream'
      if (HANG_UP.test(found.reason)) settleUnanswered(call.record, upstream, context.options.price)
      await refuse(asked, call, client, 502, 'unreachable', unreachable(found.reason))
      call.record.status = null
      return
    case 'replay-miss':
      context.replayMisses.push({ path: asked.path, key: found.key, at: call.record.startedAt })
      return await refuse(asked, call, client, 400, 'replay-miss', NOT_RECORDED)
  }
}

/** Returns the request to forward, or why it is not forwarded. */
function prepare(
  { ledger, options }: GatewayContext,
  upstream: Upstream,
  asked: AskedTurn,
  call: OpenCall,
  sent: ReturnType<typeof withoutWeb>,
): ReturnType<typeof pinRequest> {
  const foreign = findForeignState(asked.json, ledger.idsOfAnswers)
  const reason =
    findMissingPrice(options, upstream, asked, call) ??
    (isDeferred(asked) ? DEFERRED : null) ??
    (foreign === null ? null : describeForeign(foreign))
  if (reason !== null) return { ok: false, reason }
  return sent.ok ? pinRequest(asked.protocol, sent.text, sent.json, options.pins.temperature) : sent
}

/** The request was sent by then, so the provider may have worked on it. */
const HANG_UP = /^(ECONNRESET|EPIPE|HPE_)/

const DEFERRED =
  'The gateway does not pass on a request with "background": its answer could not be metered. Send it without.'

function describeForeign(what: string): string {
  return `The gateway does not pass on a request that takes up "${what}" of another attempt. Send the conversation itself.`
}

const NOT_RECORDED =
  'The recording contains no answer to this request: the agent asked something else than when it was recorded.'

function unreachable(code: string): string {
  return `The provider could not be reached (${code}).`
}

async function refuse(
  asked: AskedTurn,
  call: OpenCall,
  client: ServerResponse,
  status: number,
  ending: CallEnding,
  message: string,
): Promise<void> {
  call.record.ending = ending
  call.record.status = status
  await sendWhole(client, status, JSON_TYPE, errorBody(asked.protocol, status, message))
}

function takeFault({ faults, ledger, options }: GatewayContext): FaultPlan | null {
  return faults.take(ledger.tally().steps + 1, options.clock.monotonicMs())
}

/** Returns true if the fault replaced the whole response. */
async function playFault(
  context: GatewayContext,
  plan: FaultPlan,
  asked: AskedTurn,
  call: OpenCall,
  client: ServerResponse,
): Promise<boolean> {
  const at = context.options.clock.now()
  const step = context.ledger.tally().steps + 1
  call.record.fault = plan.kind
  const broken = await breakTurn(plan, asked.protocol, client)
  if (!broken) return false
  call.record.ending = 'fault'
  call.record.status = broken.status
  const { evidence } = broken
  context.faults.record({ kind: plan.kind, step, call: call.record.number, at, evidence })
  return true
}

/** Number of final turns after the first blocked request; an agent that continues after them gets errors. */
const FURTHER_FINAL_TURNS = 3

/** Returns the budget that forbids another turn, or null; a spent budget stays spent. */
function findBlock(context: GatewayContext): SpentBudget | null {
  const { options, ledger } = context
  context.spent ??= options.deadline?.aborted
    ? TIME_SPENT
    : findSpentBudget(options.budgets, ledger.tally(), ledger.underWay)
  return context.spent
}

/** Waits for admission. Returns the budget that forbids the turn, or null if it may be forwarded. */
async function admit(
  context: GatewayContext,
  upstream: Upstream,
  asked: AskedTurn,
  call: OpenCall,
  client: ServerResponse,
): Promise<SpentBudget | null | 'gone'> {
  const { options, ledger, line } = context
  const { budgets } = options
  const gone = new AbortController()
  const onClose = () => gone.abort()
  client.once('close', onClose)
  if (client.closed) onClose()
  const reservation = reserve(context, upstream, asked, call)
  try {
    for (;;) {
      const block = findBlock(context)
      if (block) return block
      const { charged } = ledger.tally()
      const state = await line.enter(call, { reservation, charged, gone: gone.signal })
      if (state === 'admitted') return null
      if (state === 'gone') return 'gone'
      if (state === 'unread') context.spent ??= heldByUnread(budgets, ledger.tally())
    }
  } finally {
    client.removeListener('close', onClose)
  }
}

/** Price factor of writing to a cache for an hour. */
const DEAREST_CACHE_WRITE = 2

function reserve(
  { options }: GatewayContext,
  { provider }: Upstream,
  asked: AskedTurn,
  { record }: OpenCall,
): Reservation {
  const { maxTokens, maxCostMicroUsd } = options.budgets
  if (maxTokens === null && maxCostMicroUsd === null) return { tokens: 0, costMicroUsd: 0 }
  const { input, output } = reserveTokens(asked.protocol, asked)
  const tokens = input + output
  const isPriced = maxCostMicroUsd !== null && options.paysProvider !== false
  if (!isPriced) return { tokens, costMicroUsd: 0 }
  if (tokens === Number.POSITIVE_INFINITY) return { tokens, costMicroUsd: tokens }
  const used = { ...UNKNOWN_TOKENS, input, output }
  const model = asked.model ?? 'unknown'
  const { costMicroUsd } = options.price({
    provider,
    model,
    tokens: used,
    raw: null,
    at: record.startedAt,
  })
  const dearest = asked.text.includes('"cache_control"') ? DEAREST_CACHE_WRITE : 1
  return { tokens, costMicroUsd: (costMicroUsd ?? Number.POSITIVE_INFINITY) * dearest }
}

/** A cost budget needs a price, and an agent may request another model than planned. */
function findMissingPrice(
  options: GatewayContext['options'],
  { provider }: Upstream,
  { model }: AskedTurn,
  { record }: OpenCall,
): string | null {
  if (options.budgets.maxCostMicroUsd === null || options.paysProvider === false) return null
  const { costMicroUsd } = options.price({
    provider,
    model: model ?? 'unknown',
    tokens: ONE_TOKEN,
    raw: null,
    at: record.startedAt,
  })
  if (costMicroUsd !== null || statesCost(provider)) return null
  return `"${model}" has no known price, so the cost budget of this attempt does not allow it.`
}

const ONE_TOKEN = { input: 1, output: 1, cacheRead: null, cacheWrite: null, reasoning: null }

/** Responds in the provider's place and protocol. Returns the status code sent. */
async function blockTurn(
  context: GatewayContext,
  asked: AskedTurn,
  { reason }: SpentBudget,
  client: ServerResponse,
): Promise<number> {
  context.blocked += 1
  if (context.blocked > 1 + FURTHER_FINAL_TURNS || asked.path.endsWith('/compact')) {
    await sendWhole(client, 400, JSON_TYPE, errorBody(asked.protocol, 400, reason))
    return 400
  }
  const { clock } = context.options
  const id = randomBytes(12).toString('hex')
  const turn = finalTurn(reason, asked.model ?? 'none', id, clock.now())
  const { contentType, chunks } = writeTurn(asked.protocol, turn, {
    streams: asked.streams,
    asksUsage: asked.asksUsage,
  })
  await sendWhole(client, 200, { 'content-type': contentType }, chunks.join(''))
  return 200
}

/** The turn that ends an agent politely: plain text without tool calls, which every measured CLI obeys at once. */
function finalTurn(reason: string, model: string, id: string, now: string): WireTurn {
  return {
    id,
    model,
    reason: null,
    say: `${reason} No further model turns will be answered. The work is judged as it stands.`,
    calls: [],
    usage: { input: 0, output: 0, cacheRead: null, cacheWrite: null, reasoning: null },
    stop: 'end',
    createdAt: Math.floor(Date.parse(now) / 1000),
  }
}

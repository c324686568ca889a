import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { statesCost } from '#lib/domain/prices/index.ts'
import { type Reservation, reserveTokens } from './admission.ts'
import { breakTurn } from './break-turn.ts'
import { findSpentBudget, heldByUnread, type SpentBudget, TIME_SPENT } from './budgets.ts'
import type { CallEnding } from './call-record.ts'
import type { FaultPlan } from './faults.ts'
import type { GatewayContext } from './gateway-context.ts'
import type { Upstream } from './headers.ts'
import { errorBody, JSON_TYPE, sendWhole } from './http.ts'
import { findForeignState } from './kept-state.ts'
import { pinRequest } from './pins.ts'
import { findAnswer, relayTurn, type Turn } from './relay-turn.ts'
import { isDeferred, type ModelRequest } from './route-request.ts'
import { settleUnanswered } from './settle-call.ts'
import { type Tokens, UNKNOWN_TOKENS } from './tokens.ts'
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
  request: ModelRequest,
  client: ServerResponse,
): Promise<void> {
  const { ledger } = context
  const { transcriber } = context.options
  const call = ledger.open(request)
  transcriber?.ask(call.record.number, request)
  try {
    await serve({ context, upstream, request, call, client })
  } finally {
    ledger.close(call)
    transcriber?.settle(call.record)
    context.line.leave(call)
  }
}

async function serve(turn: Turn): Promise<void> {
  const { context, upstream, request, call } = turn
  const sent = context.options.isOffline
    ? withoutWeb(request)
    : { ok: true as const, ...request, leftOut: [] }
  const known = sent.ok ? { ...request, json: sent.json } : request
  const block = await admit({ ...turn, request: known })
  if (block === 'gone') {
    call.record.ending = 'client-gone'
    return
  }
  if (block) {
    call.record.ending = 'budget'
    call.record.status = await blockTurn(turn, block)
    return
  }
  const pinned = prepare(turn, sent)
  if (!pinned.ok) return await refuse(turn, 400, 'refused', pinned.reason)
  call.record.temperature = pinned.temperature
  call.record.usageInjected = pinned.usageAsked
  if (sent.ok) call.record.toolsLeftOut = sent.leftOut
  const fault = takeFault(context)
  // No provider works on a call while a fault is injected.
  call.isForwarded = fault === null
  if (fault && (await playFault(turn, fault))) return
  call.isForwarded = true
  const found = await findAnswer(turn, pinned.text)
  switch (found.kind) {
    case 'answer':
      call.record.source = found.source
      return await relayTurn(turn, found.response, fault)
    case 'client-gone':
      call.record.source = 'upstream'
      call.record.ending = 'client-gone'
      return settleUnanswered(call.record, upstream, context.options.price)
    case 'unreachable':
      call.record.source = 'upstream'
      if (HANG_UP.test(found.reason)) settleUnanswered(call.record, upstream, context.options.price)
      await refuse(turn, 502, 'unreachable', unreachable(found.reason))
      call.record.status = null
      return
    case 'replay-miss':
      context.replayMisses.push({ path: request.path, key: found.key, at: call.record.startedAt })
      return await refuse(turn, 400, 'replay-miss', NOT_RECORDED)
  }
}

/** Returns the request to forward, or why it is not forwarded. */
function prepare(turn: Turn, sent: ReturnType<typeof withoutWeb>): ReturnType<typeof pinRequest> {
  const { ledger, options } = turn.context
  const { request } = turn
  const foreign = findForeignState(request.json, ledger.idsOfAnswers)
  const reason =
    findMissingPrice(turn) ??
    (isDeferred(request) ? DEFERRED : null) ??
    (foreign === null ? null : describeForeign(foreign))
  if (reason !== null) return { ok: false, reason }
  return sent.ok
    ? pinRequest(request.protocol, sent.text, sent.json, options.pins.temperature)
    : sent
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
  { request, call, client }: Turn,
  status: number,
  ending: CallEnding,
  message: string,
): Promise<void> {
  call.record.ending = ending
  call.record.status = status
  await sendWhole(client, status, JSON_TYPE, errorBody(request.protocol, status, message))
}

function takeFault({ faults, ledger, options }: GatewayContext): FaultPlan | null {
  return faults.take(ledger.tally().steps + 1, options.clock.monotonicMs())
}

/** Returns true if the fault replaced the whole response. */
async function playFault(
  { context, request, call, client }: Turn,
  plan: FaultPlan,
): Promise<boolean> {
  const at = context.options.clock.now()
  const step = context.ledger.tally().steps + 1
  call.record.fault = plan.kind
  const broken = await breakTurn(plan, request.protocol, client)
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
async function admit(turn: Turn): Promise<SpentBudget | null | 'gone'> {
  const { context, call, client } = turn
  const { options, ledger, line } = context
  const { budgets } = options
  const gone = new AbortController()
  const onClose = () => gone.abort()
  client.once('close', onClose)
  if (client.closed) onClose()
  const reservation = reserve(turn)
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

function reserve(turn: Turn): Reservation {
  const { options } = turn.context
  const { request } = turn
  const { maxTokens, maxCostMicroUsd } = options.budgets
  if (maxTokens === null && maxCostMicroUsd === null) return { tokens: 0, costMicroUsd: 0 }
  const { input, output } = reserveTokens(request.protocol, request)
  const tokens = input + output
  const isPriced = maxCostMicroUsd !== null && options.paysProvider !== false
  if (!isPriced) return { tokens, costMicroUsd: 0 }
  if (tokens === Number.POSITIVE_INFINITY) return { tokens, costMicroUsd: tokens }
  const { costMicroUsd } = priceOf(turn, { ...UNKNOWN_TOKENS, input, output })
  const dearest = request.text.includes('"cache_control"') ? DEAREST_CACHE_WRITE : 1
  return { tokens, costMicroUsd: (costMicroUsd ?? Number.POSITIVE_INFINITY) * dearest }
}

/** A cost budget needs a price, and an agent may request another model than planned. */
function findMissingPrice(turn: Turn): string | null {
  const { options } = turn.context
  if (options.budgets.maxCostMicroUsd === null || options.paysProvider === false) return null
  const { costMicroUsd } = priceOf(turn, { ...UNKNOWN_TOKENS, input: 1, output: 1 })
  if (costMicroUsd !== null || statesCost(turn.upstream.provider)) return null
  return `"${turn.request.model}" has no known price, so the cost budget of this attempt does not allow it.`
}

function priceOf({ context, upstream, request, call }: Turn, tokens: Tokens) {
  const { provider } = upstream
  const model = request.model ?? 'unknown'
  return context.options.price({ provider, model, tokens, raw: null, at: call.record.startedAt })
}

/** Responds in the provider's place and protocol. Returns the status code sent. */
async function blockTurn(
  { context, request, client }: Turn,
  { reason }: SpentBudget,
): Promise<number> {
  context.blocked += 1
  if (context.blocked > 1 + FURTHER_FINAL_TURNS || request.path.endsWith('/compact')) {
    await sendWhole(client, 400, JSON_TYPE, errorBody(request.protocol, 400, reason))
    return 400
  }
  const { clock } = context.options
  const id = randomBytes(12).toString('hex')
  const turn = finalTurn(reason, request.model ?? 'none', id, clock.now())
  const { contentType, chunks } = writeTurn(request.protocol, turn, {
    streams: request.streams,
    asksUsage: request.asksUsage,
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

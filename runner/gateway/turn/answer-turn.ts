import type { ServerResponse } from 'node:http'
import type { OpenCall } from '../call-ledger.ts'
import type { FaultPlan } from '../faults/fault-plan.ts'
import { JSON_TYPE, sendWhole } from '../forward/send-whole.ts'
import type { GatewayContext } from '../gateway-context.ts'
import type { Upstream } from '../gateway-order.ts'
import type { CallEnding } from '../meter/call-record.ts'
import { pinRequest } from '../pins/pin-request.ts'
import { writeError } from '../wire/write-error.ts'
import type { AskedTurn } from './asked-turn.ts'
import { blockTurn, findBlock } from './block-turn.ts'
import { breakTurn } from './break-turn.ts'
import { findAnswer } from './find-answer.ts'
import { relayTurn } from './relay-turn.ts'

/**
 * One model turn from request to last byte: budget, pins, planned fault, answer, meter. Every ending is a value in the
 * call's record; a throw is our bug.
 */
export async function answerTurn(
  context: GatewayContext,
  upstream: Upstream,
  asked: AskedTurn,
  client: ServerResponse,
): Promise<void> {
  const { ledger } = context
  const call = ledger.open(asked)
  try {
    await serve(context, upstream, asked, call, client)
  } finally {
    ledger.close(call)
  }
}

async function serve(
  context: GatewayContext,
  upstream: Upstream,
  asked: AskedTurn,
  call: OpenCall,
  client: ServerResponse,
): Promise<void> {
  const block = findBlock(context)
  if (block) {
    call.record.ending = 'budget'
    call.record.status = await blockTurn(context, asked, block, client)
    return
  }
  const pinned = pinRequest(asked.protocol, asked.text, asked.json, context.order.pins.temperature)
  if (!pinned.ok) return await refuse(asked, call, client, 400, 'refused', pinned.reason)
  call.record.temperature = pinned.temperature
  call.record.usageInjected = pinned.usageAsked
  const fault = takeFault(context)
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
      return
    case 'unreachable':
      call.record.source = 'upstream'
      await refuse(asked, call, client, 502, 'unreachable', unreachable(found.reason))
      call.record.status = null
      return
    case 'replay-miss':
      context.replayMisses.push({ path: asked.path, key: found.key, at: call.record.startedAt })
      return await refuse(asked, call, client, 400, 'replay-miss', NOT_RECORDED)
  }
}

const NOT_RECORDED =
  'The recording holds no answer to this request: the agent asked something else than when it was recorded.'

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
  await sendWhole(client, status, JSON_TYPE, writeError(asked.protocol, status, message))
}

function takeFault({ faults, ledger, order }: GatewayContext): FaultPlan | null {
  return faults.take(ledger.tally().steps + 1, order.clock.monotonicMs())
}

/** True when the fault was the whole answer. */
async function playFault(
  context: GatewayContext,
  plan: FaultPlan,
  asked: AskedTurn,
  call: OpenCall,
  client: ServerResponse,
): Promise<boolean> {
  const at = context.order.clock.now()
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

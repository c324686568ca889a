import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultAnswer } from '../faults/fault-answer.ts'
import type { FaultPlan } from '../faults/fault-plan.ts'
import { sendWhole } from '../forward/send-whole.ts'
import type { Protocol } from '../protocol.ts'

export type BrokenTurn = { status: number | null; evidence: string }

/** Plays a fault that never asks the provider; null when the fault disturbs an answer under way instead. */
export async function breakTurn(
  plan: FaultPlan,
  protocol: Protocol,
  client: ServerResponse,
): Promise<BrokenTurn | null> {
  const answer = faultAnswer(plan, protocol)
  if (answer) {
    await sendWhole(client, answer.status, answer.headers, answer.body)
    return {
      status: answer.status,
      evidence: `answered ${answer.status} without asking the provider`,
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

/** RST where the transport has one, so that the client sees a reset and not an end. */
function reset(client: ServerResponse): void {
  const { socket } = client
  if (socket && socket.remoteAddress !== undefined) socket.resetAndDestroy()
  else client.destroy()
}

/** True when the client left first. */
async function hang(client: ServerResponse, limitMs: number): Promise<boolean> {
  const left = new AbortController()
  const onClose = () => left.abort()
  client.once('close', onClose)
  if (client.closed) left.abort()
  await sleep(limitMs, undefined, { signal: left.signal }).catch(() => {})
  client.removeListener('close', onClose)
  return left.signal.aborted
}

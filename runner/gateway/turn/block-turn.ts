import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { finalTurn } from '../budget/final-turn.ts'
import { findSpentBudget, type SpentBudget, TIME_SPENT } from '../budget/find-spent-budget.ts'
import { JSON_TYPE, sendWhole } from '../forward/send-whole.ts'
import type { GatewayContext } from '../gateway-context.ts'
import { writeError } from '../wire/write-error.ts'
import { writeTurn } from '../wire/write-turn.ts'
import type { AskedTurn } from './asked-turn.ts'

/** The first blocked request and so many after it get a final turn; then an agent that goes on gets errors. */
const FURTHER_FINAL_TURNS = 3

/** The budget that forbids another turn, or null; once spent it stays spent. */
export function findBlock(context: GatewayContext): SpentBudget | null {
  const { order, ledger } = context
  context.spent ??= order.deadline?.aborted
    ? TIME_SPENT
    : findSpentBudget(order.budgets, ledger.tally(), ledger.underWay)
  return context.spent
}

/** Answers in the provider's place and in its protocol; answers the status that was sent. */
export async function blockTurn(
  context: GatewayContext,
  asked: AskedTurn,
  { reason }: SpentBudget,
  client: ServerResponse,
): Promise<number> {
  context.blocked += 1
  if (context.blocked > 1 + FURTHER_FINAL_TURNS || asked.path.endsWith('/compact')) {
    await sendWhole(client, 400, JSON_TYPE, writeError(asked.protocol, 400, reason))
    return 400
  }
  const { clock } = context.order
  const id = randomBytes(12).toString('hex')
  const turn = finalTurn(reason, asked.model ?? 'none', id, clock.now())
  const { contentType, chunks } = writeTurn(asked.protocol, turn, {
    streams: asked.streams,
    asksUsage: asked.asksUsage,
  })
  await sendWhole(client, 200, { 'content-type': contentType }, chunks.join(''))
  return 200
}

import type { Protocol } from '../protocol.ts'
import { writeError } from '../wire/write-error.ts'
import type { FaultPlan } from './fault-plan.ts'

export type FaultAnswer = { status: number; headers: Record<string, string>; body: string }

/** The error answer that a fault gives instead of asking the provider; null for faults that are no answer. */
export function faultAnswer(plan: FaultPlan, protocol: Protocol): FaultAnswer | null {
  switch (plan.kind) {
    case 'rate-limit':
      return answer(protocol, 429, 'Rate limit reached, try again later.', {
        'retry-after': String(plan.retryAfterSeconds),
      })
    case 'server-error':
      return answer(protocol, 500, 'Internal server error.')
    case 'overloaded':
      return answer(protocol, 529, 'Overloaded.')
    default:
      return null
  }
}

function answer(
  protocol: Protocol,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): FaultAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: writeError(protocol, status, message),
  }
}

import type { z } from 'zod'
import { database } from '#lib/db/database.ts'
import { listLedger } from '#lib/db/ledger-store.ts'
import type { RegisterEntry } from '#lib/db/registration-store.ts'
import type {
  planRegistrationsSchema,
  registrationAnswerSchema,
} from '#lib/domain/api/registration-answer.ts'
import { readRegistrations } from '#lib/domain/ledger/read-registrations.ts'

/** How a plan's registrations stand; null = the plan was never registered here. */
export async function getRegistrations(
  planDigest: string,
): Promise<z.infer<typeof planRegistrationsSchema> | null> {
  const entries = await listLedger(database())
  const book = readRegistrations(entries)
  const registrations = entries.flatMap((entry) => {
    const { action, sequence } = entry
    if (action.kind !== 'register' || action.target !== planDigest) return []
    const received = [...book.matched].flatMap(([runId, one]) =>
      one.sequence === sequence && !book.removed.has(runId) ? runId : [],
    )
    const removed = action.runs.flatMap(({ runId }) => (book.removed.has(runId) ? runId : []))
    return { ...describeRegistration({ ...entry, action }), received: received.sort(), removed }
  })
  const [first] = registrations
  return first ? { planDigest: first.planDigest, registrations } : null
}

type Described = Omit<z.infer<typeof registrationAnswerSchema>, 'status' | 'summary' | 'requestId'>

/** A ledger entry as the API answers it. */
export function describeRegistration({ action, sequence, at, hash }: RegisterEntry): Described {
  const { target: planDigest, plan, runs, expected, sender } = action
  const { voucher, name } = sender
  return { planDigest, sequence, receivedAt: at, hash, plan, runs, expected, voucher, sender: name }
}

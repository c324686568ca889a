import { z } from 'zod'
import { digestSchema } from '../digest.ts'
import { registeredPlanSchema, registeredRunSchema } from '../ledger/registration-schema.ts'
import { instantSchema } from '../names.ts'

const entrySchema = z.object({
  planDigest: digestSchema,
  /** Its place in the public ledger, the server's time of receipt, and the entry's hash. */
  sequence: z.number().int(),
  receivedAt: instantSchema,
  hash: digestSchema,
  /** Null = registered by its digest alone. */
  plan: registeredPlanSchema.nullable(),
  runs: z.array(registeredRunSchema),
  /** Runs that are owed in all. */
  expected: z.number().int(),
  /** Who registered it: results count as registered only when they come from the same sender. */
  voucher: z.string(),
  sender: z.string(),
})

/** What a program is told of the plan it registered: written (201), or the same stood there already (200). */
export const registrationAnswerSchema = entrySchema.extend({
  status: z.enum(['registered', 'known']),
  summary: z.string(),
  requestId: z.string(),
})

/** One plan's registrations, oldest first, each with the runs of it that came in. */
export const planRegistrationsSchema = z.object({
  planDigest: digestSchema,
  registrations: z.array(
    entrySchema.extend({
      /** Ids of the runs that came in; of a registration of a bare number also those it did not name. */
      received: z.array(z.string()),
      /** Runs that an administrator removed: they are owed no longer. */
      removed: z.array(z.string()),
    }),
  ),
})

import { z } from 'zod'
import { browserFaultKindSchema } from '#lib/domain/browser/browser-fault.ts'

/** What the app server says on stdout, a line each. */
export const serverLineSchema = z.union([
  z.object({ listening: z.number().int().positive() }),
  z.object({ point: z.object({ id: z.number().int(), tenant: z.string(), at: z.string() }) }),
  z.object({
    connection: z.object({
      id: z.number().int(),
      address: z.string(),
      port: z.number().int(),
      serverPort: z.number().int(),
    }),
  }),
])

export const openedSchema = z.object({ origin: z.string() })
export const refusedSchema = z.object({ error: z.string() })

/** What it answers when it is asked for a tenant. */
export const tenantSchema = z.object({
  state: z.unknown(),
  requests: z.array(
    z.object({
      at: z.string(),
      method: z.string(),
      path: z.string(),
      status: z.number().int().nullable(),
      client: z.enum(['browser', 'other', 'gone', 'another-browser']).nullable(),
    }),
  ),
  firing: z
    .object({ kind: browserFaultKindSchema, at: z.string(), evidence: z.string() })
    .nullable(),
})

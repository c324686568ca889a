'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { type ActionResult, CORRECTION_OFFERS } from '#lib/domain/api/index.ts'
import { requestCorrection } from '#lib/server/care/corrections.ts'
import { requestRegrade } from '#lib/server/care/regrade.ts'
import { guardAction } from '#lib/server/http/guard.ts'

const correctionSchema = z.object({
  kind: z.enum(CORRECTION_OFFERS, 'Choose a correction.'),
  target: z.string().max(80),
  reason: z
    .string('Enter a reason. It will be public.')
    .trim()
    .min(1, 'Enter a reason. It will be public.')
    .max(2000, 'The reason can have at most 2,000 characters.'),
})

/** Writes a correction into the public ledger. */
export async function correctAction(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: correctionSchema,
    input: form,
    run: async (input, actor, { id: requestId }) => {
      const { sequence } = await requestCorrection(input, { actor, requestId })
      revalidatePath('/', 'layout')
      const message = `Ledger entry ${sequence} recorded. The board updates within seconds.`
      return { ok: true, message }
    },
  })
}

const regradeSchema = z.object({
  runId: z.string().max(80),
  episodeId: z
    .string()
    .max(80)
    .optional()
    .transform((id) => id || null),
})

/** Queues a regrade of the stored solutions. */
export async function regradeAction(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: regradeSchema,
    input: form,
    run: async (input, actor, { id: requestId }) => {
      await requestRegrade(input, { actor, requestId })
      return { ok: true, message: 'Regrade queued.' }
    },
  })
}

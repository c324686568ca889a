'use server'

import type { ActionResult } from '#lib/domain/api/index.ts'
import { topUpFieldSchema } from '#lib/domain/runs/index.ts'
import { guardAction } from '#lib/server/http/guard.ts'
import { topUp } from '#lib/server/queue/enqueue-plan.ts'

export async function topUpRow(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: topUpFieldSchema,
    input: form,
    run: async ({ rowId, goal }, actor, { id }) => {
      const message = await topUp(
        { rowId },
        { kind: goal },
        { actor, now: new Date(), requestId: id },
      )
      return { ok: true, message }
    },
  })
}

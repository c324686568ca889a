'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { type ActionResult, refusal } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { guardAction } from '#lib/server/http/guard.ts'
import { commitUpload, discardUpload, refreshUpload } from '#lib/server/ingest/uploads.ts'

type Before = ActionResult | null

const id = z.string().regex(/^up_[0-9a-f]{24}$/, 'No such upload.')
const ANSWER = {
  refused: 'Nothing was stored: the upload now has errors, listed below.',
  changed:
    'Nothing was stored: what this upload does has changed since you reviewed it. Review it again.',
}

export async function commitUploadHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: z.object({
      id,
      expected: z.string().max(100),
      base: z.string().max(100_000).optional(),
    }),
    input: form,
    run: async (yes, actor, request) => {
      const by = { actor, requestId: request.id, now: new Date() }
      const { status, preview } = await commitUpload({ ...yes, ...by })
      revalidatePath(`/admin/uploads/${yes.id}`)
      if (status === 'refused' || status === 'changed') return refusal(ANSWER[status])
      if (status === 'duplicate')
        return { ok: true, message: 'Nothing to add: all episodes were already stored.' }
      return { ok: true, message: `Added ${countOf(preview.counts.new, 'episode')}.` }
    },
  })
}

export async function discardUploadHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: z.object({ id }),
    input: form,
    run: async (upload, actor, request) => {
      await discardUpload({ ...upload, actor, requestId: request.id, now: new Date() })
      revalidatePath(`/admin/uploads/${upload.id}`)
      return { ok: true, message: 'Upload discarded. Nothing was stored.' }
    },
  })
}

export async function refreshUploadHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: z.object({ id }),
    input: form,
    run: async (upload, actor) => {
      await refreshUpload(upload.id, actor, new Date())
      revalidatePath(`/admin/uploads/${upload.id}`)
      return { ok: true, message: 'Computed again.' }
    },
  })
}

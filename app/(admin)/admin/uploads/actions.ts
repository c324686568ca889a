'use server'

import { z } from 'zod'
import { type ActionResult, refusal } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { adminForm } from '#lib/server/http/guard.ts'
import { commitUpload, discardUpload, refreshUpload } from '#lib/server/ingest/uploads.ts'

type Before = ActionResult | null

const id = z.string().regex(/^up_[0-9a-f]{24}$/, 'No such upload.')
const ANSWER = {
  refused: 'Nothing was stored: the upload now has errors, listed below.',
  changed:
    'Nothing was stored: what this upload does has changed since you reviewed it. Review it again.',
}

const pageOf = (upload: { id: string }) => `/admin/uploads/${upload.id}`

export async function commitUploadAction(_: Before, form: FormData): Promise<ActionResult> {
  const base = z.string().max(100_000).optional()
  const schema = z.object({ id, expected: z.string().max(100), base })
  return adminForm(pageOf, schema, form, async (yes, by) => {
    const { status, preview } = await commitUpload({ ...yes, ...by })
    if (status === 'refused' || status === 'changed') return refusal(ANSWER[status])
    return status === 'duplicate'
      ? 'Nothing to add: all episodes were already stored.'
      : `Added ${countOf(preview.counts.new, 'episode')}.`
  })
}

export async function discardUploadAction(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(pageOf, z.object({ id }), form, async (upload, by) => {
    await discardUpload({ ...upload, ...by })
    return 'Upload discarded. Nothing was stored.'
  })
}

export async function refreshUploadAction(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(pageOf, z.object({ id }), form, async (upload, { actor, now }) => {
    await refreshUpload(upload.id, actor, now)
    return 'Computed again.'
  })
}

'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { ActionResult, FreezeResult } from '#lib/domain/api/index.ts'
import { launchFieldsSchema } from '#lib/domain/runs/index.ts'
import { guardAction } from '#lib/server/http/guard.ts'
import { freezeForm, launchRequestSchema, launchRun } from '#lib/server/launch/launch-run.ts'
import {
  addPreset,
  presetChoiceSchema,
  presetSchema,
  removePreset,
} from '#lib/server/launch/presets.ts'

export async function freeze(_: FreezeResult | null, form: FormData): Promise<FreezeResult> {
  return guardAction({
    role: 'admin',
    schema: launchFieldsSchema,
    input: form,
    run: (fields) => freezeForm(fields),
  })
}

export async function launch(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: launchRequestSchema,
    input: form,
    run: async ({ planDigest, key, ...fields }, actor, { id: requestId }) => {
      const launched = await launchRun({ fields, planDigest, key }, { actor, requestId })
      if (!launched.ok) return launched
      redirect(`/admin/queue?job=${launched.jobId}`)
    },
  })
}

export async function keepPreset(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: presetSchema,
    input: form,
    run: async ({ presetName: name, ...fields }, actor, { id: requestId }) => {
      const { isNew } = await addPreset({ name, fields }, { actor, requestId })
      revalidatePath('/admin/launch')
      return { ok: true, message: `${isNew ? 'Saved' : 'Replaced'} “${name}”.` }
    },
  })
}

export async function dropPreset(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: presetChoiceSchema,
    input: form,
    run: async ({ presetId }, actor, { id: requestId }) => {
      const { name } = await removePreset(presetId, { actor, requestId })
      revalidatePath('/admin/launch')
      return { ok: true, message: `Deleted “${name}”.` }
    },
  })
}

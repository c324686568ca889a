'use server'

import { redirect } from 'next/navigation'
import type { ActionResult, FreezeResult } from '#lib/domain/api/index.ts'
import { launchFieldsSchema } from '#lib/domain/runs/index.ts'
import { adminForm, guardAction } from '#lib/server/http/guard.ts'
import { freezeForm, launchRequestSchema, launchRun } from '#lib/server/launch/launch-run.ts'
import {
  addPreset,
  presetChoiceSchema,
  presetSchema,
  removePreset,
} from '#lib/server/launch/presets.ts'

const PAGE = '/admin/launch'

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

export async function savePreset(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, presetSchema, form, async ({ presetName: name, ...fields }, by) => {
    const { isNew } = await addPreset({ name, fields }, by)
    return `${isNew ? 'Saved' : 'Replaced'} “${name}”.`
  })
}

export async function deletePreset(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, presetChoiceSchema, form, async ({ presetId }, by) => {
    const { name } = await removePreset(presetId, by)
    return `Deleted “${name}”.`
  })
}

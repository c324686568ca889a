import { z } from 'zod'
import { recordAudit } from '#lib/db/audit-store.ts'
import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import * as store from '#lib/db/preset-store.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Actor } from '#lib/domain/accounts/index.ts'
import type { PresetView } from '#lib/domain/api/index.ts'
import {
  type LaunchFields,
  launchFieldsSchema,
  readLaunchFields,
  writeLaunchQuery,
} from '#lib/domain/runs/index.ts'
import { AppError } from '#lib/errors.ts'

const NAME_RULE = 'Enter a name of 1 to 60 visible characters.'
const MAX_PRESETS = 200

/** A form and the name to save it under. */
export const presetSchema = launchFieldsSchema.extend({
  presetName: z
    .string({ error: NAME_RULE })
    .trim()
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,60}$/u, NAME_RULE),
})

/** The preset that a button names. */
export const presetChoiceSchema = z.object({
  presetId: z
    .string({ error: 'Choose a preset.' })
    .regex(/^preset_[0-9a-f-]{36}$/, 'Choose a preset.'),
})

type By = { actor: Actor; requestId: string | null }

/** Lists presets by name, each as the query of its form; leaves out fields that older forms named differently. */
export async function getPresets(): Promise<PresetView[]> {
  const rows = await withDatabaseErrors(() => store.listStoredPresets(database()))
  return rows.map(({ fields, ...preset }) => ({ ...preset, query: queryOf(fields) }))
}

/** Saves a form as typed, valid or not, replacing an earlier one of that name. */
export async function addPreset(
  { name, fields }: { name: string; fields: LaunchFields },
  { actor, requestId }: By,
  now = new Date(),
): Promise<{ isNew: boolean }> {
  const work = inTransaction(database(), async (tx) => {
    const saved = await store.saveStoredPreset(tx, { name, fields, createdBy: actor.name }, now)
    if (saved.isNew && (await store.countPresets(tx)) > MAX_PRESETS)
      throw new AppError('conflict', `There are already ${MAX_PRESETS} presets. Delete one first.`)
    const detail = { name, replaced: !saved.isNew, query: writeLaunchQuery(fields) }
    const target = saved.presetId
    await recordAudit(tx, { actor, action: 'preset.save', target, detail, requestId }, now)
    return { isNew: saved.isNew }
  })
  return withDatabaseErrors(() => work)
}

export async function removePreset(
  presetId: string,
  { actor, requestId }: By,
  now = new Date(),
): Promise<{ name: string }> {
  const work = inTransaction(database(), async (tx) => {
    const name = await store.deleteStoredPreset(tx, presetId)
    if (name === null) throw new AppError('not-found', 'This preset no longer exists.')
    const record = { actor, action: 'preset.delete', target: presetId, detail: { name }, requestId }
    await recordAudit(tx, record, now)
    return { name }
  })
  return withDatabaseErrors(() => work)
}

const keptSchema = z.record(z.string(), z.string()).catch({})

function queryOf(fields: unknown): string {
  return writeLaunchQuery(readLaunchFields(keptSchema.parse(fields)))
}

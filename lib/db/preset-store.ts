import { randomUUID } from 'node:crypto'
import type { DbOrTx } from './db.ts'

/** A saved launch form; `fields` is its content as read from the database. */
export type PresetRow = { presetId: string; name: string; fields: unknown; createdBy: string }

/** Saves the form under its name, replacing an earlier one of that name. */
export async function saveStoredPreset(
  db: DbOrTx,
  { name, fields, createdBy }: { name: string; fields: object; createdBy: string },
  now: Date,
): Promise<{ presetId: string; isNew: boolean }> {
  const known = await db.preset.findUnique({ where: { name }, select: { id: true } })
  const saved = { fields: JSON.stringify(fields), createdBy, updatedAt: now }
  const id = known?.id ?? `preset_${randomUUID()}`
  await db.preset.upsert({
    where: { name },
    create: { id, name, ...saved, createdAt: now },
    update: saved,
  })
  return { presetId: id, isNew: known === null }
}

export async function listStoredPresets(db: DbOrTx): Promise<PresetRow[]> {
  const rows = await db.preset.findMany({ orderBy: { name: 'asc' } })
  return rows.map(({ id, name, fields, createdBy }) => ({
    presetId: id,
    name,
    createdBy,
    fields: JSON.parse(fields) as unknown,
  }))
}

export async function countPresets(db: DbOrTx): Promise<number> {
  return db.preset.count()
}

/** Deletes a preset and returns its name; null = there was none. */
export async function deleteStoredPreset(db: DbOrTx, presetId: string): Promise<string | null> {
  const known = await db.preset.findUnique({ where: { id: presetId }, select: { name: true } })
  await db.preset.deleteMany({ where: { id: presetId } })
  return known?.name ?? null
}

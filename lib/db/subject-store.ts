import { digestJson } from '#lib/domain/digest/index.ts'
import type { Subject } from '#lib/domain/record/index.ts'
import type { DbOrTx } from './db.ts'

/**
 * Returns a subject's row id. Equal subjects share it, and so do the arms of a plan, which envelopes and rows tell
 * apart.
 */
export function subjectId(subject: Subject): string {
  const { kind, name, version, adapterVersion, provider, modelRequested, targeting } = subject
  const identity = { kind, name, version, adapterVersion, provider, modelRequested }
  return digestJson(targeting === undefined ? identity : { ...identity, targeting })
}

/** Saves the subject and returns its row id. */
export async function saveSubject(db: DbOrTx, subject: Subject): Promise<string> {
  const id = subjectId(subject)
  const { kind, name, version, adapterVersion, provider, modelRequested } = subject
  const row = { id, kind, name, version, adapterVersion, provider, modelRequested }
  await db.subject.upsert({ where: { id }, create: row, update: {} })
  return id
}

/** Lists requested models, each once. */
export async function listModels(db: DbOrTx, limit: number): Promise<string[]> {
  const where = { modelRequested: { not: null } }
  const rows = await db.subject.findMany({
    where,
    distinct: ['modelRequested'],
    take: limit,
    orderBy: { modelRequested: 'asc' },
    select: { modelRequested: true },
  })
  return rows.flatMap(({ modelRequested }) => modelRequested ?? [])
}

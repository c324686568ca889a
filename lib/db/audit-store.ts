import type { Actor } from '../domain/accounts/index.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { DbOrTx, Tx } from './db.ts'
import type { AuditEntry, Prisma } from './generated/sqlite/client.ts'

/** One action by a user. `action` is `room.verb`, as in `run.cancel`; `detail` contains no secret. */
export type AuditRecord = {
  actor: Actor
  action: string
  target: string | null
  detail?: Readonly<Record<string, unknown>>
  requestId?: string | null
}

/**
 * Adds a line to the audit log, committed or rolled back with the change it records. Requires a transaction:
 * transactions commit one after another, so readers that page by number miss no line.
 */
export async function recordAudit(
  tx: Tx,
  { actor, action, target, detail = {}, requestId = null }: AuditRecord,
  now: Date,
): Promise<void> {
  const data = {
    at: now,
    actorKind: actor.kind,
    actorId: actor.id,
    actor: actor.name,
    action,
    target,
    detail: JSON.stringify(detail),
    requestId,
  }
  await withDatabaseErrors(async () => tx.auditEntry.create({ data }))
}

/** Returns the lines after one, oldest first, as the ledger's head digests them. */
export async function listAuditAfter(
  db: DbOrTx,
  id: number,
  take: number,
): Promise<(Omit<AuditEntry, 'at'> & { at: string })[]> {
  const rows = await db.auditEntry.findMany({
    where: { id: { gt: id } },
    orderBy: { id: 'asc' },
    take,
  })
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** Returns the newest line of an action; null = it was never done. */
export function findLastDone(db: DbOrTx, action: string): Promise<AuditEntry | null> {
  return db.auditEntry.findFirst({ where: { action }, orderBy: { id: 'desc' } })
}

type AuditWhere = { actor: string; action: string; target: string }

/** Returns a page of the audit log, newest first, and the number of matching lines; an empty word filters nothing. */
export async function listAudit(
  db: DbOrTx,
  filter: AuditWhere,
  { skip, take }: { skip: number; take: number },
): Promise<{ rows: AuditEntry[]; matching: number }> {
  const where: Prisma.AuditEntryWhereInput = {
    ...(filter.actor && { actor: filter.actor }),
    ...(filter.action && { action: filter.action }),
    ...(filter.target && { target: filter.target }),
  }
  const [rows, matching] = await Promise.all([
    db.auditEntry.findMany({ where, orderBy: { id: 'desc' }, skip, take }),
    db.auditEntry.count({ where }),
  ])
  return { rows, matching }
}

/** Lists the actions recorded so far, by name. */
export async function listAuditActions(db: DbOrTx): Promise<string[]> {
  const rows = await db.auditEntry.findMany({
    distinct: ['action'],
    select: { action: true },
    orderBy: { action: 'asc' },
  })
  return rows.map(({ action }) => action)
}

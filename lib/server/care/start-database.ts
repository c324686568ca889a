import { z } from 'zod'
import { findLastDone, recordAudit } from '../../db/audit-store.ts'
import { closeDatabase, type Db, database } from '../../db/database.ts'
import type { DbOrTx } from '../../db/db.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type Upgrade, upgradeDatabase } from '../../db/upgrade-database.ts'
import { SYSTEM_ACTOR } from '../../domain/accounts/index.ts'
import { countOf, formatBytes, formatDuration, parseJson } from '../../domain/text/index.ts'
import { currentVersion } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { currentCommit } from '../../processes/current-commit.ts'

const programSchema = z.object({ version: z.string(), commit: z.string().nullable() })
/** A version of Proofboard; `commit` null = unknown. */
export type Program = z.infer<typeof programSchema>

const ACTION = 'server.upgrade'

/**
 * Migrates the database before a server starts, and records this version in the audit log. Null = nothing was migrated.
 * Throws an AppError like `upgradeDatabase`.
 */
export async function startDatabase(
  options: { withCopy?: boolean } = {},
  now = new Date(),
): Promise<(Upgrade & { from: Program | null }) | null> {
  const upgrade = await upgradeDatabase(options)
  const from = await noteVersion(database(), upgrade, now)
  return upgrade && { ...upgrade, from }
}

/** Migrates the database for a command, and closes it at the end. */
export async function startDatabaseAlone(options: { withCopy: boolean }) {
  try {
    return await startDatabase(options)
  } finally {
    await closeDatabase()
  }
}

const NEED_PERSON = new Set<AppError['code']>([
  'bad-configuration',
  'conflict',
  'database-newer',
  'database-unusable',
  'disk-full',
])

/** Returns whether an error stops every start of a server until a person acts. */
export function needsPerson(error: unknown): error is AppError {
  return error instanceof AppError && error.retryAfterMs === null && NEED_PERSON.has(error.code)
}

/** Records this version; returns the one recorded before, null = none. */
async function noteVersion(db: Db, upgrade: Upgrade | null, now: Date): Promise<Program | null> {
  const program = currentProgram()
  const isSame = (last: LastUpgrade | null) =>
    last?.version === program.version && last.commit === program.commit
  if (!upgrade && isSame(await findLastUpgrade(db))) return null
  return inTransaction(db, async (tx) => {
    const last = await findLastUpgrade(tx)
    // Web server and worker start at the same time.
    if (!upgrade && isSame(last)) return null
    const from = last && { version: last.version, commit: last.commit }
    const { migrations = [], copy = null } = upgrade ?? {}
    const detail = { ...program, from, migrations, copy: copy?.file ?? null }
    await recordAudit(tx, { actor: SYSTEM_ACTOR, action: ACTION, target: null, detail }, now)
    return from
  })
}

/** Returns this version of Proofboard. */
export function currentProgram(): Program {
  return { version: currentVersion(), commit: currentCommit() }
}

/** The version that a board was last upgraded to, and when. */
export type LastUpgrade = Program & { at: string; from: Program | null }

const detailSchema = programSchema.extend({ from: programSchema.nullable() })

/** Null = no version since 0.2.0 has started on this database. */
export async function findLastUpgrade(db: DbOrTx): Promise<LastUpgrade | null> {
  const line = await findLastDone(db, ACTION)
  const detail = detailSchema.safeParse(line && parseJson(line.detail))
  return line && detail.success ? { ...detail.data, at: line.at.toISOString() } : null
}

function formatProgram({ version, commit }: Program): string {
  return commit === null ? version : `${version} (${commit.slice(0, 8)})`
}

/** Describes an upgrade for the terminal, in one or two lines. */
export function describeUpgrade({
  isNew,
  from,
  migrations,
  copy,
  elapsedMs,
}: Upgrade & { from: Program | null }): string[] {
  const duration = formatDuration(elapsedMs)
  if (isNew) return [`created in ${duration}`]
  const count = countOf(migrations.length, 'migration')
  const was = from === null ? 'a version before 0.2.0' : formatProgram(from)
  const lines = [
    `migrated from ${was} to ${formatProgram(currentProgram())} in ${duration}: ${count}`,
  ]
  if (copy) lines.push(`as it was before: ${copy.file} (${formatBytes(copy.bytes)})`)
  return lines
}

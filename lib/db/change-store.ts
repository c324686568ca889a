import { env } from '../env.ts'
import { database } from './database.ts'
import { openSqlite, type SqliteFile, watchFile } from './sqlite-file.ts'

type Reader = {
  file: string
  requireFile: () => void
  read: ReturnType<SqliteFile['prepare']>
}

// On globalThis, because Next may load a module more than once in a process.
const shared = globalThis as { proofboardChanges?: Reader }

/**
 * A text that differs after every write of what public pages show: boards, suites, ledger, episodes, runs, jobs. Read on
 * a connection of its own from a file, which costs some microseconds, else by a query; null = it cannot be read now.
 */
export async function publicStamp(): Promise<string | null> {
  try {
    const { database: place, databaseFile: file } = env()
    if (place !== file) return await askStamp()
    if (shared.proofboardChanges?.file !== file) shared.proofboardChanges = openReader(file)
    shared.proofboardChanges.requireFile()
    const stamp: unknown = shared.proofboardChanges.read.get()
    return typeof stamp === 'string' ? stamp : null
  } catch {
    return null
  }
}

async function askStamp(): Promise<string | null> {
  const rows = await database().change.findMany({ orderBy: { area: 'asc' } })
  return rows.length === 0 ? null : rows.map(({ number }) => number).join()
}

function openReader(file: string): Reader {
  const db = openSqlite(file, { readOnly: true, waitMs: 0 })
  const sql = `SELECT group_concat("number") FROM (SELECT "number" FROM "Change" ORDER BY "area")`
  return { file, requireFile: watchFile(file), read: db.prepare(sql).pluck() }
}

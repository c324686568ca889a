import { env } from '../env.ts'
import { processWide } from '../process-wide.ts'
import { database } from './database.ts'
import { openSqlite, type SqliteFile, watchFile } from './sqlite-file.ts'

type Reader = {
  file: string
  requireFile: () => void
  read: ReturnType<SqliteFile['prepare']>
}

const stamps = processWide('change numbers', () => ({ reader: null as Reader | null }))

/**
 * Returns a text that changes with every write to what public pages show: boards, suites, ledger, episodes, runs, jobs.
 * SQLite files are read on a separate connection, in a few microseconds. Null = it cannot be read now.
 */
export async function publicStamp(): Promise<string | null> {
  try {
    const { database: place, databaseFile: file } = env()
    if (place !== file) return await askStamp()
    if (stamps.reader?.file !== file) stamps.reader = openReader(file)
    stamps.reader.requireFile()
    const stamp: unknown = stamps.reader.read.get()
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

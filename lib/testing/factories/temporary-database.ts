import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { migrate } from '#lib/db/migrate.ts'
import { openDb } from '#lib/db/open-db.ts'
import { saveRun } from '#lib/db/run-store.ts'
import type { Plan } from '#lib/domain/record/index.ts'
import type { Db } from '../../db/db.ts'
import { MIGRATIONS_DIR, ON_POSTGRES, postgresDatabase } from './postgres.ts'
import { SAMPLE_RUN_ID, samplePlan } from './samples.ts'

export { MIGRATIONS_DIR }

/** `place` is what `openDb` accepts: a file, or the URL of a server. */
export type TemporaryDatabase = {
  db: Db
  place: string
  dir: string
  close: () => Promise<void>
}

/** Creates a migrated database, with SQLite a file in a folder, that `close` removes. */
export async function temporaryDatabase({ waitMs = 2000 } = {}): Promise<TemporaryDatabase> {
  const dir = mkdtempSync(join(tmpdir(), 'proofboard-db-'))
  const server = ON_POSTGRES ? await postgresDatabase() : null
  // A server's database is found by its URL, not by the data folder.
  if (server) process.env.DATABASE_URL = server.url
  const place = server?.url ?? join(dir, 'proofboard.db')
  if (!server) writeMigrated(place)
  const db = openDb(place, { waitMs })
  const close = async () => {
    await db.$disconnect()
    await server?.drop()
    rmSync(dir, { recursive: true, force: true })
  }
  return { db, place, dir, close }
}

// On globalThis, because test files that share a process evaluate their modules again.
const shared = globalThis as { migratedDatabase?: Buffer }

/** Writes a database file with every migration, which are applied once per process and copied. */
export function writeMigrated(file: string): void {
  if (shared.migratedDatabase === undefined) {
    migrate(file, MIGRATIONS_DIR)
    shared.migratedDatabase = readFileSync(file)
  } else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, shared.migratedDatabase)
  }
}

/** Stores the sample plan's run, to which `sampleEpisode()` belongs. */
export async function saveSampleRun(db: Db, plan: Plan = samplePlan()): Promise<void> {
  const run = { runId: SAMPLE_RUN_ID, plan, provenance: 'local', jobId: null } as const
  await saveRun(db, run, new Date('2026-01-01T00:00:00.000Z'))
}

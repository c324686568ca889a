import { env } from '../env.ts'
import { database } from './database.ts'
import { listMigrationNames } from './migrate.ts'
import { postgresMigrations } from './postgres/migrate-postgres.ts'
import { isPostgresUrl } from './postgres/postgres-url.ts'

const LOOK_MS = 5000

/**
 * Checks every few seconds whether another process migrated the database to a newer version, and then calls `end` once
 * with a message: writes of this version could be misread. On a server, the queries also show that this process is
 * alive.
 */
export function watchSchema(end: (message: string) => void, lookMs = LOOK_MS): void {
  const timer = setInterval(async () => {
    // Other callers report a database that does not respond.
    const name = await findUnknownMigration().catch(() => null)
    if (name === null) return
    clearInterval(timer)
    end(
      `the database was brought to a newer version of Proofboard while this one ran (migration ${name} is unknown here): update Proofboard on this machine and start it again`,
    )
  }, lookMs)
  timer.unref()
}

async function findUnknownMigration(): Promise<string | null> {
  const { database: place, migrationsDir } = env()
  const rows = await database().$queryRaw<{ name: string }[]>`
    SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`
  const folder = isPostgresUrl(place) ? postgresMigrations(migrationsDir) : migrationsDir
  const known = new Set(listMigrationNames(folder))
  return rows.find(({ name }) => !known.has(name))?.name ?? null
}

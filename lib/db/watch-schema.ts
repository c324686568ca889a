import { env } from '../env.ts'
import { database } from './database.ts'
import { listMigrationNames } from './migrate.ts'
import { postgresMigrations } from './postgres/migrate-postgres.ts'
import { isPostgresUrl } from './postgres/postgres-url.ts'

const LOOK_MS = 5000

/**
 * Looks every few seconds whether another process brought the database to a newer version, and calls `end` once with the
 * sentence to end with: what this version would write then could be read wrongly. On a server its queries also show that
 * this process lives.
 */
export function watchSchema(end: (message: string) => void, lookMs = LOOK_MS): void {
  const timer = setInterval(async () => {
    // A database that does not respond is reported by whoever needs it.
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

import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { formatBytes } from '../domain/text/index.ts'
import { env } from '../env.ts'
import { AppError } from '../errors.ts'
import { writeCopy } from './copy-database.ts'
import { isOlder, migrate, readOnly } from './migrate.ts'
import { copyToFile } from './move-database.ts'
import { migratePostgres } from './postgres/migrate-postgres.ts'
import { describePostgres, isPostgresUrl } from './postgres/postgres-url.ts'
import { readFileHeartbeats, readServerHeartbeats, refuseRunning } from './running-processes.ts'
import type { SqliteFile } from './sqlite-file.ts'

export type Upgrade = {
  /** True if this version created the database. */
  isNew: boolean
  /** Names of the applied migrations, oldest first. */
  migrations: string[]
  /** The database as it was before; null = it was new, or no copy was requested. */
  copy: { file: string; bytes: number } | null
  elapsedMs: number
}

type UpgradeOptions = { withCopy?: boolean }

/**
 * Migrates this process's database for a server that starts; null = it is current. Stores a copy of an older database
 * first. Throws an AppError and leaves the database unchanged when another process uses it, it is of a newer version,
 * or the copy does not fit on the disk.
 */
export async function upgradeDatabase({
  withCopy = true,
}: UpgradeOptions = {}): Promise<Upgrade | null> {
  const startedAt = performance.now()
  const { database: place } = env()
  let isNew = true
  const made: string[] = []
  const copyPath = (name: string, bytes: number) => {
    isNew = false
    if (!withCopy) return null
    made.push(findPlace(name, bytes))
    return made.at(-1) ?? null
  }
  try {
    const upgrade = isPostgresUrl(place) ? upgradeServer : upgradeFile
    const migrations = await upgrade(place, copyPath)
    if (migrations.length === 0) return null
    removeOld()
    const [file] = made
    const copy = file === undefined ? null : { file, bytes: statSync(file).size }
    return { isNew, migrations, copy, elapsedMs: performance.now() - startedAt }
  } catch (error) {
    for (const file of made) rmSync(file, { force: true })
    throw error
  }
}

/**
 * Returns the path for the copy of a database of so many bytes; null = no copy. Throws an AppError when it does not
 * fit.
 */
type CopyPath = (name: string, bytes: number) => string | null

const RETRY_MS = 200
const MAX_RETRY_MS = 60_000

async function upgradeFile(file: string, copyPath: CopyPath): Promise<string[]> {
  const { migrationsDir } = env()
  if (existsSync(file) && isOlder(file, migrationsDir))
    await refuseRunning(file, () => readOnly(file, (db) => readFileHeartbeats(db, new Date())))
  const before = (db: SqliteFile) => {
    const to = copyPath(file, statSync(file).size)
    if (to) writeCopy(db, to)
  }
  for (const until = performance.now() + MAX_RETRY_MS; ; await pause(RETRY_MS)) {
    try {
      return migrate(file, migrationsDir, { before })
    } catch (error) {
      // Another starting process is migrating it: its lock keeps readers out too.
      const isBusy = error instanceof AppError && error.code === 'database-busy'
      if (!isBusy || performance.now() > until) throw error
    }
  }
}

async function upgradeServer(url: string, copyPath: CopyPath): Promise<string[]> {
  const { migrationsDir } = env()
  const name = describePostgres(url)
  const before = async (client: pg.Client, { schema }: { schema: string }) => {
    await refuseRunning(name, () => readServerHeartbeats(client, schema))
    const to = copyPath(name, await measureServer(client, schema))
    if (to) await copyToFile(url, to, migrationsDir)
  }
  return migratePostgres(url, migrationsDir, { before })
}

async function measureServer(client: pg.Client, schema: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `SELECT CAST(SUM(pg_total_relation_size(c.oid)) AS double precision) AS "bytes"
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'`,
    [schema],
  )
  return rows[0]?.bytes ?? 0
}

const COPY_NAME = /^proofboard-.*\.db$/
/** Copies that are kept: two, none older than a month. */
const MAX_COPIES = 2
const MAX_AGE_MS = 30 * 86_400_000

const copyFolder = () => join(env().dataDir, 'backups', 'before-upgrade')

function findPlace(name: string, bytes: number): string {
  const folder = copyFolder()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = statfsSync(folder)
  // A migration rewrites its changed tables.
  const needed = 2 * bytes
  if (bavail * bsize > needed)
    return join(folder, `proofboard-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`)
  const message = `${name} has to be brought up to this version, and the copy of it that is kept before needs ${formatBytes(needed)} in ${folder}, which has ${formatBytes(bavail * bsize)}: free some space, or make a backup elsewhere and run npx proofboard server database migrate --without-copy; nothing was touched`
  throw new AppError('disk-full', message)
}

/** Removes old copies left by earlier upgrades. */
export function removeOld(now = new Date()): void {
  const folder = copyFolder()
  if (!existsSync(folder)) return
  const newestFirst = readdirSync(folder)
    .filter((name) => COPY_NAME.test(name))
    .sort()
    .reverse()
  for (const [place, name] of newestFirst.entries()) {
    const file = join(folder, name)
    if (place >= MAX_COPIES || now.getTime() - statSync(file).mtimeMs > MAX_AGE_MS) rmSync(file)
  }
}

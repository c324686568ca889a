import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MIGRATIONS_DIR } from '#lib/testing/factories/temporary-database.ts'
import { closeDatabase, database } from './database.ts'
import { listMigrationNames, migrate } from './migrate.ts'
import { openSqlite } from './sqlite-file.ts'
import { removeOld, upgradeDatabase } from './upgrade-database.ts'
import { watchSchema } from './watch-schema.ts'

const ALL = listMigrationNames(MIGRATIONS_DIR)
const BEFORE = ALL.slice(0, -2)
// The environment is read once.
const dir = mkdtempSync(join(tmpdir(), 'proofboard-upgrade-'))
const file = join(dir, 'proofboard.db')

beforeEach(() => {
  mkdirSync(dir, { recursive: true })
  process.env.PROOFBOARD_DATA_DIR = dir
  delete process.env.DATABASE_URL
  const earlier = join(dir, 'earlier')
  for (const name of BEFORE)
    cpSync(join(MIGRATIONS_DIR, name), join(earlier, name), { recursive: true })
  migrate(file, earlier)
})
afterEach(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

function run(sql: string, place = file): void {
  const db = openSqlite(place)
  db.exec(sql)
  db.close()
}

const applied = (place: string) => {
  const db = openSqlite(place, { readOnly: true })
  const sql = 'SELECT "migration_name" FROM "_prisma_migrations" ORDER BY 1'
  const names = db.prepare(sql).pluck().all()
  db.close()
  return names
}
const copies = () => {
  const folder = join(dir, 'backups', 'before-upgrade')
  return existsSync(folder) ? readdirSync(folder) : []
}
const beat = (id: string, agoMs: number) => {
  const at = new Date(Date.now() - agoMs).toISOString().replace('Z', '+00:00')
  run(
    `INSERT OR REPLACE INTO "Worker" ("id", "pid", "startedAt", "heartbeatAt") VALUES ('${id}', 1, '${at}', '${at}')`,
  )
}

it('keeps a copy of the database as it was, and says what it did', async () => {
  const upgrade = await upgradeDatabase()
  expect(upgrade).toMatchObject({ isNew: false, migrations: ALL.slice(-2) })
  const copy = upgrade?.copy?.file ?? ''
  expect(applied(copy)).toEqual(BEFORE)
  expect(upgrade?.copy?.bytes).toBe(statSync(copy).size)
  expect(statSync(copy).mode & 0o077).toBe(0)
  expect(applied(file)).toEqual(ALL)
  expect(await upgradeDatabase()).toBeNull()
  expect(copies()).toHaveLength(1)
})

it('refuses a database that another process has open, and touches nothing', async () => {
  const other = openSqlite(file)
  other.prepare('SELECT COUNT(*) FROM "Run"').get()
  await expect(upgradeDatabase()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(
      /another process still uses it: stop every server[^\n]*nothing was touched$/,
    ),
  })
  other.close()
  expect(applied(file)).toEqual(BEFORE)
  expect(copies()).toEqual([])
  expect(await upgradeDatabase()).not.toBeNull()
})

it('refuses while a worker gives signs of life, and waits for one that was killed', async () => {
  beat('worker_a', 0)
  const living = setInterval(() => beat('worker_a', 0), 200)
  await expect(upgradeDatabase().finally(() => clearInterval(living))).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(applied(file)).toEqual(BEFORE)
  beat('worker_a', 13_000)
  expect(await upgradeDatabase()).not.toBeNull()
})

it('leaves no copy when a migration fails', async () => {
  // The newest migration finds its trigger in place already.
  run(`CREATE TRIGGER "RemoteShard_insert_changes" AFTER INSERT ON "Run" BEGIN SELECT 1; END`)
  await expect(upgradeDatabase()).rejects.toThrow()
  expect(copies()).toEqual([])
})

it('keeps two copies', async () => {
  await upgradeDatabase()
  const [first = ''] = copies()
  const folder = join(dir, 'backups', 'before-upgrade')
  for (const day of ['28', '29'])
    cpSync(join(folder, first), join(folder, `proofboard-2099-01-${day}.db`))
  removeOld()
  expect(copies()).toEqual(['proofboard-2099-01-28.db', 'proofboard-2099-01-29.db'])
  removeOld(new Date(Date.now() + 31 * 86_400_000))
  expect(copies()).toEqual([])
})

it('ends a running server that meets a newer database, once', async () => {
  await upgradeDatabase()
  database()
  const parts: string[] = []
  watchSchema((message) => parts.push(message), 50)
  await pause(200)
  expect(parts).toEqual([])
  run(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'y', '29990101000000_future', '2999-01-01')`,
  )
  await pause(400)
  expect(parts).toEqual([
    expect.stringContaining('29990101000000_future is unknown here): update Proofboard'),
  ])
})

import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { migrate } from '#lib/db/migrate.ts'
import { openSqlite } from '#lib/db/sqlite-file.ts'
import { readManifest, resignBackup } from '#lib/testing/factories/backup-folder.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'
import { ON_POSTGRES, ownDatabase } from '#lib/testing/factories/postgres.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { startWriter } from '#lib/testing/factories/steady-writer.ts'
import { MIGRATIONS_DIR } from '#lib/testing/factories/temporary-database.ts'

// Many processes in a row, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const root = mkdtempSync(join(tmpdir(), 'proofboard-backup-test-'))
const dataDir = join(root, 'data')
/** Another server's folder, with a tenth of the files and rows, which are read in a tenth of the time. */
const plainDir = join(root, 'plain')
const place = join(root, 'backups')
let whole = ''
/** A backup of the small folder, with the secret. */
let plain = ''

/** On PostgreSQL the small folder has its own database. */
let ofPlain: Awaited<ReturnType<typeof ownDatabase>> = {}
/** A restored server uses a file in its data folder, whatever it used before. */
const OF_FILE = { DATABASE_URL: '' }

const backup = (...args: string[]) => proofboardHere(dataDir, ['backup', ...args])
const backupPlain = (...args: string[]) => proofboardHere(plainDir, ['backup', ...args], ofPlain)

/** Returns the bytes of every board in a data folder, by suite version. */
function boardsOf(dir: string): unknown {
  const db = openSqlite(join(dir, 'proofboard.db'), { readOnly: true })
  const rows = db.prepare('SELECT suiteDigest, board FROM "BoardSnapshot" ORDER BY 1').all()
  db.close()
  return rows
}

beforeAll(async () => {
  await plantDemo(dataDir, { withBrowser: true, isSmall: true })
  ofPlain = await ownDatabase({ isEmpty: true })
  await plantDemo(plainDir, { isSmall: true, url: ofPlain.DATABASE_URL })
  for (const dir of [dataDir, plainDir])
    writeFileSync(join(dir, 'auth-secret'), 'a secret', { mode: 0o600 })
  const create = ['create', '--to', place, '--with-evidence', '--with-secret', '--json']
  const ended = [await backup(...create), await backupPlain(...create)]
  expect(ended.map(({ stderr }) => stderr)).toEqual(['', ''])
  const folders = ended.map(({ stdout }) => String(lastJson(stdout).folder))
  whole = folders[0] ?? ''
  plain = folders[1] ?? ''
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a backup of a server at work', () => {
  it('holds one state, while another process writes without a pause', async () => {
    const writer = await startWriter(ofPlain.DATABASE_URL ?? join(plainDir, 'proofboard.db'))
    const folders: string[] = []
    for (let n = 0; n < 3; n++) {
      const { code, stdout } = await backupPlain('create', '--to', join(root, 'busy'), '--json')
      expect(code).toBe(0)
      folders.push(String(lastJson(stdout).folder))
    }
    await writer.stop()
    const counts = folders.map((folder) => {
      const db = openSqlite(join(folder, 'proofboard.db'), { readOnly: true })
      const count = (table: string) =>
        Number(db.prepare(`SELECT COUNT(*) FROM "${table}"`).pluck().get())
      const pair = [count('Verification'), count('SignInThrottle')] as const
      db.close()
      return pair
    })
    for (const [one, two] of counts) expect(one).toBe(two)
    expect(counts.at(-1)?.[0]).toBeGreaterThan(counts[0]?.[0] ?? 0)
    for (const folder of folders) expect((await backupPlain('verify', folder)).code).toBe(0)
  })

  it('names every file by digest, and is for its owner alone', () => {
    const manifest = readManifest(whole)
    const paths = manifest.files.map(({ path }) => path)
    expect(paths).toContain('auth-secret')
    expect(paths.filter((path) => path.endsWith('screenshot.png')).length).toBeGreaterThan(10)
    expect(manifest).toMatchObject({ lacks: [], holds: { evidence: true, authSecret: true } })
    expect(manifest.counts.episodes).toBeGreaterThan(100)
    expect(statSync(whole).mode & 0o777).toBe(0o700)
    for (const path of paths) expect(statSync(join(whole, path)).mode & 0o077, path).toBe(0)
  })

  it('keeps the newest, and takes away only backups', async () => {
    const busy = join(root, 'busy')
    writeFileSync(join(busy, 'notes.txt'), 'mine')
    const { code, stdout } = await backupPlain('create', '--to', busy, '--keep', '2', '--json')
    expect(code).toBe(0)
    expect(lastJson(stdout).removed).toHaveLength(2)
    const left = readdirSync(busy).sort()
    expect(left).toEqual(['notes.txt', expect.any(String), expect.any(String)])
    expect(lastJson((await backup('list', '--in', busy, '--json')).stdout).backups).toHaveLength(2)
    const none = await backup('list', '--in', join(root, 'nothing'))
    expect(none.stdout).toMatch(/^no complete backup in .*nothing; to make one: npx proofboard/)
  })

  it('says what evidence is not what was sealed, and leaves it out', async () => {
    const folders = join(plainDir, 'demo-evidence')
    const [folder = ''] = readdirSync(folders)
    const [name = ''] = readdirSync(join(folders, folder))
    const file = join(folders, folder, name)
    const before = readFileSync(file)
    writeFileSync(file, 'another story')
    const { code, stderr, stdout } = await backupPlain(
      ...['create', '--to', join(root, 'lacks'), '--with-evidence', '--json'],
    )
    writeFileSync(file, before)
    expect([code, stderr]).toEqual([0, expect.stringContaining('is not what was sealed')])
    const made = String(lastJson(stdout).folder)
    expect(readManifest(made).lacks).toHaveLength(1)
    expect((await backup('verify', made)).code).toBe(0)
  })
})

describe('a restored backup', () => {
  const into = join(root, 'restored')

  it('is the same boards byte for byte, the same ledger, the same evidence', async () => {
    const { code, stderr } = await backup('restore', whole, '--into', into)
    expect([code, stderr]).toEqual([0, expect.stringContaining('npm start')])
    expect(stderr.includes('DATABASE_URL')).toBe(ON_POSTGRES)
    expect(boardsOf(into)).toEqual(boardsOf(dataDir))
    const verified = await proofboardHere(into, ['ledger', 'verify', '--json'], OF_FILE)
    const here = await proofboardHere(dataDir, ['ledger', 'verify', '--json'])
    expect(verified.code).toBe(0)
    expect(lastJson(verified.stdout).head).toBe(lastJson(here.stdout).head)
    expect(readFileSync(join(into, 'auth-secret'), 'utf8')).toBe('a secret')
    const pictures = readdirSync(join(dataDir, 'demo-evidence'), { recursive: true })
    const found = pictures.find((path) => String(path).endsWith('/screenshot.png'))
    const picture = join('demo-evidence', String(found))
    expect(readFileSync(join(into, picture)).equals(readFileSync(join(dataDir, picture)))).toBe(
      true,
    )
    const db = openSqlite(join(into, 'proofboard.db'), { readOnly: true })
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    db.close()
  })

  it('never goes over something that is there', async () => {
    for (const target of [into, dataDir]) {
      const before = readdirSync(target)
      const { code, stderr } = await backup('restore', whole, '--into', target)
      expect([code, stderr.trim().split('\n')]).toEqual([
        1,
        [expect.stringContaining("already contains a server's data: nothing was touched")],
      ])
      expect(readdirSync(target)).toEqual(before)
    }
  })

  it('is migrated when it is older, and refused when it is newer', async () => {
    const change = (name: string, sql: string) => {
      const copy = join(root, name)
      cpSync(plain, copy, { recursive: true })
      const db = openSqlite(join(copy, 'proofboard.db'))
      db.exec(sql)
      db.close()
      return resignBackup(copy)
    }
    const newer = change(
      'newer',
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '20990101000000_later', 1)`,
    )
    const refused = await backup('restore', newer, '--into', join(root, 'never'))
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('newer version')])
    expect(existsSync(join(root, 'never'))).toBe(false)
    const older = join(root, 'older')
    cpSync(plain, older, { recursive: true })
    writeOlder(join(plain, 'proofboard.db'), join(older, 'proofboard.db'), '20261121170001')
    resignBackup(older)
    const { code, stderr } = await backup('restore', older, '--into', join(root, 'migrated'))
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^migrated: .*oidc/m)])
    expect(boardsOf(join(root, 'migrated'))).toEqual(boardsOf(plainDir))
  })
})

/** Creates a database with the migrations up to a name, and copies the rows that it can hold. */
function writeOlder(from: string, to: string, last: string): void {
  const migrations = join(root, 'migrations')
  cpSync(MIGRATIONS_DIR, migrations, { recursive: true })
  for (const name of readdirSync(migrations))
    if (name > last) rmSync(join(migrations, name), { recursive: true })
  rmSync(to)
  migrate(to, migrations)
  const db = openSqlite(to)
  const names = (sql: string) => db.prepare(sql).pluck().all().map(String)
  const columnsOf = (schema: string, table: string) =>
    names(`SELECT name FROM pragma_table_info('${table}', '${schema}')`)
  db.exec(`PRAGMA foreign_keys = OFF; ATTACH '${from}' AS newer`)
  const tables = names(`SELECT name FROM main.sqlite_master WHERE type = 'table'`)
  for (const table of tables.filter((name) => !/^(sqlite_|_prisma)/.test(name))) {
    const known = columnsOf('newer', table)
    const shared = columnsOf('main', table).filter((name) => known.includes(name))
    const columns = shared.map((name) => `"${name}"`).join(', ')
    db.exec(`DELETE FROM main."${table}"`)
    db.exec(`INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM newer."${table}"`)
  }
  db.close()
}

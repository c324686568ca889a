import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openSqlite } from '#lib/db/sqlite-file.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { readManifest, resignBackup } from '#lib/testing/factories/backup-folder.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'
import { ownDatabase } from '#lib/testing/factories/postgres.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'

// Many processes in a row, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const root = mkdtempSync(join(tmpdir(), 'proofboard-damaged-backup-'))
const dataDir = join(root, 'data')
let whole = ''
let settings: Awaited<ReturnType<typeof ownDatabase>> = {}
const backup = (...args: string[]) => proofboardHere(dataDir, ['backup', ...args], settings)

beforeAll(async () => {
  settings = await ownDatabase({ isEmpty: true })
  await plantDemo(dataDir, { isSmall: true, url: settings.DATABASE_URL })
  writeFileSync(join(dataDir, 'auth-secret'), 'a secret', { mode: 0o600 })
  const to = join(root, 'backups')
  const { stdout } = await backup(
    'create',
    '--to',
    to,
    '--with-evidence',
    '--with-secret',
    '--json',
  )
  whole = String(lastJson(stdout).folder)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const DATABASE = 'proofboard.db'
const MANIFEST = 'manifest.json'
const change = (dir: string, changes: object) =>
  writeFileSync(join(dir, MANIFEST), JSON.stringify({ ...readManifest(dir), ...changes }))

/** Damages with the exit code and a part of the message; 2 = not a backup. */
const DAMAGES: [string, (folder: string) => void, 1 | 2, string][] = [
  ['a byte of the database', (dir) => flip(join(dir, DATABASE)), 1, 'proofboard.db: is damaged'],
  [
    'a truncated database',
    (dir) => truncateSync(join(dir, DATABASE), 8192),
    1,
    'proofboard.db: is damaged',
  ],
  ['a missing file', (dir) => rmSync(join(dir, 'auth-secret')), 1, 'auth-secret: is missing'],
  ['a byte of evidence', (dir) => flip(join(dir, evidenceOf(dir))), 1, 'is damaged'],
  [
    'a file too many',
    (dir) => writeFileSync(join(dir, 'x.log'), ''),
    1,
    'x.log: is not in the manifest',
  ],
  [
    'a half-written backup',
    (dir) => rmSync(join(dir, MANIFEST)),
    2,
    'a whole backup is a folder named proofboard-<date>',
  ],
  [
    'half a manifest',
    (dir) => truncateSync(join(dir, MANIFEST), 20),
    2,
    'its manifest.json is damaged',
  ],
  [
    'an archive',
    (dir) => change(dir, { kind: 'proofboard-archive' }),
    2,
    'it is an archive of a board',
  ],
  [
    'a foreign folder',
    (dir) => change(dir, { kind: 'other' }),
    2,
    'belongs to something else (other)',
  ],
  [
    'a newer backup',
    (dir) => change(dir, { schemaVersion: 2 }),
    2,
    'a newer version of Proofboard made it',
  ],
  [
    'a path that leads out',
    (dir) => change(dir, { files: [{ path: '../../x', digest: digestBytes(''), bytes: 1 }] }),
    2,
    'stays inside its folder',
  ],
  [
    'a foreign database, with a manifest to match',
    (dir) => replaceDatabase(dir),
    1,
    'proofboard.db: is not the database of the manifest',
  ],
  [
    'a ledger that was changed, with a manifest to match',
    (dir) => rewriteLedger(dir),
    1,
    'entry 3',
  ],
]

it.each(DAMAGES)('%s: one sentence, and nothing is restored', async (name, damage, code, words) => {
  const copy = join(root, 'damaged', name)
  cpSync(whole, copy, { recursive: true })
  damage(copy)
  const verified = await backup('verify', copy)
  const restored = await backup('restore', copy, '--into', join(root, 'nothing'))
  expect([verified.code, restored.code]).toEqual([code, code])
  expect(verified.stderr).toContain(words)
  expect(restored.stderr).toContain(words)
  expect(restored.stderr.trim().split('\n')).toHaveLength(1)
  expect(existsSync(join(root, 'nothing'))).toBe(false)
  expect(readdirSync(root).filter((entry) => entry.endsWith('.tmp'))).toEqual([])
})

it.each([
  ['board', 'rebuild'],
  ['ledger', 'verify'],
])('%s %s --from a backup says how to restore it', async (...command) => {
  const { code, stderr } = await proofboardHere(dataDir, [...command, '--from', whole], settings)
  expect(code).toBe(2)
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringContaining(`proofboard server backup restore ${whole} --into <new folder>`),
  ])
})

function flip(file: string): void {
  const bytes = readFileSync(file)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

function evidenceOf(dir: string): string {
  const found = readManifest(dir).files.find(({ path }) => path.startsWith('demo-evidence/'))
  return found?.path ?? 'no evidence'
}

function replaceDatabase(dir: string): void {
  rmSync(join(dir, DATABASE))
  const db = openSqlite(join(dir, DATABASE))
  db.exec('CREATE TABLE notes (text TEXT)')
  db.close()
  const bytes = readFileSync(join(dir, DATABASE))
  const found = { path: DATABASE, digest: digestBytes(bytes), bytes: bytes.length }
  const files = readManifest(dir).files.filter(({ path }) => path !== DATABASE)
  change(dir, { files: [found, ...files] })
}

function rewriteLedger(dir: string): void {
  const db = openSqlite(join(dir, DATABASE))
  db.exec(`UPDATE "LedgerEntry" SET "reason" = 'another' WHERE "sequence" = 3`)
  db.close()
  resignBackup(dir)
}

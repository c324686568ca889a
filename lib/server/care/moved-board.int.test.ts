import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cachingBuilder } from '#lib/db/cached-boards.ts'
import { closeDatabase, database } from '#lib/db/database.ts'
import { openSqlite } from '#lib/db/sqlite-file.ts'
import { settleEnv } from '#lib/env.ts'
import { hasFilesOf } from '#lib/server/care/regrade.ts'
import { packZip } from '#lib/testing/corpora/pack-zip.ts'
import { makeRealRun, readFolder } from '#lib/testing/corpora/real-run.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { readManifest } from '#lib/testing/factories/backup-folder.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { ON_POSTGRES, postgresDatabase } from '#lib/testing/factories/postgres.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { BoardRefresher } from '#lib/worker/worker-context.ts'

// A board that the real runner filled, with an upload and an account, moved to another data folder.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const root = mkdtempSync(join(tmpdir(), 'proofboard-moved-board-'))
const dataDir = join(root, 'first-machine')
/** A restored board uses a file in its data folder, whatever it used before. */
const OF_FILE = { DATABASE_URL: '' }
const here = (...args: string[]) => proofboardHere(dataDir, args)
const at = (dir: string, ...args: string[]) => proofboardHere(dir, args, OF_FILE)
let runId = ''

function settleIn(dir: string): void {
  process.env.PROOFBOARD_DATA_DIR = dir
  settleEnv(process.cwd())
}

beforeAll(async () => {
  if (ON_POSTGRES) process.env.DATABASE_URL = (await postgresDatabase()).url
  process.env.PROOFBOARD_DATA_DIR = dataDir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  const uploaded = await makeRealRun()
  cpSync(join(uploaded.dataDir, 'suites'), join(dataDir, 'suites'), { recursive: true })
  const ran = await here('run', '--suite', 'small', '--subject', 'reference', '--json')
  expect(ran.code, ran.stderr).toBe(0)
  runId = String(lastJson(ran.stdout).runId)
  settleIn(dataDir)
  const files = [...readFolder(uploaded.folder)].map(([name, bytes]) => ({ name, bytes }))
  const sent = await submitBody({ db: database(), dir: root }, packZip(files))
  expect(sent.status).toBe('committed')
  rmSync(uploaded.dataDir, { recursive: true })
  const boards = new BoardRefresher(database(), cachingBuilder(database()))
  await boards.requestAll()
  await boards.settle()
  await closeDatabase()
  await here('ledger', 'head')
  await proofboardHere(dataDir, ['accounts', 'add', 'ada@example.org'], {}, 'correct horse battery')
  await here('tokens', 'create', 'ci', '--scope', 'results:write')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Returns rows of the boards, episodes, accounts and tokens. */
function contentsOf(dir: string) {
  const db = openSqlite(join(dir, 'proofboard.db'), { readOnly: true })
  const rows = (table: string) => db.prepare(`SELECT * FROM "${table}" ORDER BY 1, 2`).all()
  const tables = ['BoardSnapshot', 'BoardRow', 'Episode', 'User', 'UserCredential', 'ApiToken']
  const contents = Object.fromEntries(tables.map((table) => [table, rows(table)]))
  db.close()
  return contents
}

async function check(dir: string, ...args: string[]) {
  const { code, stdout } = await at(dir, ...args, '--json')
  const { problems, elsewhere, whole } = lastJson(stdout) as {
    problems: { place: string; problem: string }[]
    elsewhere: number
    whole?: number
  }
  const flaws = problems.map(({ place, problem }) => `${place}: ${problem}`)
  return { code, flaws, elsewhere, whole }
}

const allFiles = async () =>
  Number(lastJson((await here('evidence', 'check', '--json')).stdout).whole)

async function moveTo(name: string, ...options: string[]) {
  const made = await here('backup', 'create', '--to', join(root, name), ...options, '--json')
  expect(made.code, made.stderr).toBe(0)
  const backup = String(lastJson(made.stdout).folder)
  const into = join(root, 'second-machine', name)
  const verified = await at(into, 'backup', 'verify', backup, '--json')
  expect(verified.code, verified.stdout).toBe(0)
  const restored = await at(into, 'backup', 'restore', backup, '--into', into)
  expect(restored.code, restored.stderr).toBe(0)
  return { backup, into, verified: lastJson(verified.stdout), said: restored.stderr }
}

describe('a backup without evidence', () => {
  let into = ''
  let files = 0

  it('is the same board elsewhere, whose evidence is not there and not lost', async () => {
    files = await allFiles()
    const moved = await moveTo('bare')
    into = moved.into
    expect(files).toBeGreaterThan(6)
    expect(moved.verified).toMatchObject({
      elsewhere: files,
      holds: { evidence: false, authSecret: false, ledgerKey: false },
    })
    expect(readManifest(moved.backup).leftOut).toMatchObject({ files, directories: [] })
    expect(moved.said).toContain(`not in the backup: ${files} evidence files of 3 episodes`)
    expect(moved.said).toContain('users sign in again, accounts and tokens stay valid')
    expect(contentsOf(into)).toEqual(contentsOf(join(moved.backup)))
    expect(await check(into, 'ledger', 'verify')).toMatchObject({ code: 0, elsewhere: files })
    for (const args of [
      ['evidence', 'check'],
      ['retention', '--verify'],
    ])
      expect(await check(into, ...args)).toMatchObject({ code: 0, whole: 0, elsewhere: files })
  })

  it('accepts a head that was signed with the key that was left out', async () => {
    const head = join(root, 'head.json')
    writeFileSync(head, (await here('ledger', 'head')).stdout)
    await at(into, 'ledger', 'head')
    expect((await at(into, 'ledger', 'verify', '--head', head)).code).toBe(0)
  })

  it('exports and rebuilds the same board, and regrades nothing', async () => {
    for (const [run, to] of [
      [here, join(root, 'export-a')],
      [(...args: string[]) => at(into, ...args), join(root, 'export-b')],
    ] as const) {
      const { code, stderr } = await run('board', 'export', '--to', to)
      expect(code, stderr).toBe(0)
    }
    for (const path of ['leaderboard/small.json', `runs/${runId}/result.json`, 'ledger.json'])
      expect(readFileSync(join(root, 'export-b', path), 'utf8')).toBe(
        readFileSync(join(root, 'export-a', path), 'utf8'),
      )
    const wanted = join(root, 'export-a/leaderboard/small.json')
    const rebuilt = await at(into, 'board', 'rebuild', '--from', into, '--check', wanted)
    expect(rebuilt.code, rebuilt.stderr).toBe(0)
    settleIn(dataDir)
    expect(hasFilesOf(runId)).toBe(true)
    settleIn(into)
    expect(hasFilesOf(runId)).toBe(false)
  })

  it('can be backed up again, with evidence that is not there', async () => {
    const again = join(root, 'again')
    const { code, stderr } = await at(into, 'backup', 'create', '--to', again, '--with-evidence')
    expect([code, stderr]).toEqual([0, expect.stringContaining('(not in this data folder)')])
    expect(stderr).not.toContain('left out:')
    const [{ folder }] = lastJson(
      (await at(into, 'backup', 'list', '--in', again, '--json')).stdout,
    ).backups as [{ folder: string }]
    expect(await check(into, 'backup', 'verify', folder)).toMatchObject({
      code: 0,
      elsewhere: files,
    })
  })

  it('names evidence that is there and damaged, and expects it again once it is complete', async () => {
    const log = findLog()
    for (const name of ['runs', 'received'])
      cpSync(join(dataDir, name), join(into, name), { recursive: true })
    appendFileSync(join(into, log), 'changed')
    const altered = `${log}: is not what was sealed`
    for (const args of [
      ['ledger', 'verify'],
      ['evidence', 'check'],
    ])
      expect(await check(into, ...args)).toMatchObject({ code: 1, flaws: [altered], elsewhere: 0 })
    cpSync(join(dataDir, log), join(into, log))
    expect(await check(into, 'evidence', 'check')).toMatchObject({ code: 0, whole: files })
    rmSync(join(into, log))
    const missing = `${log}: is missing, and retention did not take it`
    for (const args of [
      ['ledger', 'verify'],
      ['evidence', 'check'],
    ])
      expect(await check(into, ...args)).toMatchObject({ code: 1, flaws: [missing], elsewhere: 0 })
  })
})

function findLog(): string {
  const log = `runs/${runId}/episodes/lru-cache/r1-a1/gate.log`
  expect(existsSync(join(dataDir, log))).toBe(true)
  return log
}

describe('a backup with evidence and secrets', () => {
  it('is the whole board elsewhere, where a file that is deleted is missing', async () => {
    const files = await allFiles()
    const { into, backup, verified, said } = await moveTo('all', '--with-evidence', '--with-secret')
    expect(verified).toMatchObject({ elsewhere: 0, holds: { evidence: true, ledgerKey: true } })
    expect(said).not.toContain('evidence')
    expect(contentsOf(into)).toEqual(contentsOf(backup))
    expect(await check(into, 'ledger', 'verify')).toMatchObject({ code: 0, elsewhere: 0 })
    expect(await check(into, 'evidence', 'check')).toMatchObject({ code: 0, whole: files })
    expect(readFileSync(join(into, 'ledger-key'))).toEqual(
      readFileSync(join(dataDir, 'ledger-key')),
    )
    const log = findLog()
    rmSync(join(into, log))
    const { code, flaws } = await check(into, 'ledger', 'verify')
    expect([code, flaws]).toEqual([1, [`${log}: is missing, and retention did not take it`]])
  })

  it('is refused where its manifest does not name a file of an episode', async () => {
    const made = await here(
      'backup',
      'create',
      '--to',
      join(root, 'cut'),
      '--with-evidence',
      '--json',
    )
    const folder = String(lastJson(made.stdout).folder)
    const log = findLog()
    rmSync(join(folder, log))
    const manifest = readManifest(folder)
    const left = manifest.files.filter(({ path }) => path !== log)
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, files: left }))
    const { code, stderr } = await here('backup', 'restore', folder, '--into', join(root, 'never'))
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${log}: is missing`)])
    expect(existsSync(join(root, 'never'))).toBe(false)
  })

  it('of a board that lost a file says so, and the restored board still lacks it', async () => {
    const log = findLog()
    const bytes = readFileSync(join(dataDir, log))
    rmSync(join(dataDir, log))
    const { into, backup } = await moveTo('lost', '--with-evidence').finally(() =>
      writeFileSync(join(dataDir, log), bytes),
    )
    expect(readManifest(backup).lacks).toMatchObject([{ path: log }])
    const { code, flaws } = await check(into, 'ledger', 'verify')
    expect([code, flaws]).toEqual([1, [`${log}: is missing, and retention did not take it`]])
  })
})

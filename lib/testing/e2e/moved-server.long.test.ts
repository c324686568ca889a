import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { moveToServer } from '#lib/db/move-database.ts'
import { healthSchema } from '#lib/domain/reports/index.ts'
import { packZip } from '#lib/testing/corpora/pack-zip.ts'
import { makeRealRun, readFolder } from '#lib/testing/corpora/real-run.ts'
import { callAction, readBuiltSite } from '#lib/testing/e2e/built-site.ts'
import { makeUser } from '#lib/testing/e2e/make-user.ts'
import { type Copy, startCopy, startWeb, waitUntil } from '#lib/testing/e2e/start-copy.ts'
import { postgresDatabase } from '#lib/testing/factories/postgres.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { MIGRATIONS_DIR } from '#lib/testing/factories/temporary-database.ts'

// A board that `npm start` filled, with an upload, an account, a session, a token and connections to other machines,
// restored from a backup with and without evidence, on SQLite and on PostgreSQL.
vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 5_400_000 })

const root = mkdtempSync(join(tmpdir(), 'proofboard-moved-server-'))
type Settings = Record<string, string>
const ON_FILE = { DATABASE_URL: '' }
let copy: Copy
let session = ''
let token = ''
let zip: Buffer
let shown: ReadonlyMap<string, string>
let files = 0
/** Backups of it, with and without evidence and secrets. */
const backups = { bare: '', whole: '' }
const restored = { bare: join(root, 'second', 'bare'), whole: join(root, 'second', 'whole') }

beforeAll(async () => {
  copy = await startCopy(ON_FILE)
  await waitUntil('the first runs', async () => ((await hasRun()) ? true : null), {
    limitMs: 3_600_000,
    everyMs: 2000,
  })
  session = await signIn(copy.url)
  const args = ['tokens', 'create', 'ci', '--scope', 'results:write']
  token =
    /pb_\w+/.exec((await startProofboard(copy.dataDir, args, ON_FILE).ended).stdout)?.[0] ?? ''
  const run = await makeRealRun()
  zip = packZip([...readFolder(run.folder)].map(([name, bytes]) => ({ name, bytes })))
  rmSync(run.dataDir, { recursive: true })
  expect(await upload(copy.url)).toBe(201)
  const { code } = await startProofboard(copy.dataDir, ['ledger', 'verify'], ON_FILE).ended
  expect(code).toBe(0)
  shown = await readAll(copy.url)
  files = Number((await check(copy.dataDir, ON_FILE, 'evidence', 'check')).whole)
  const create = ['backup', 'create', '--to', root]
  backups.bare = String((await command(copy.dataDir, ON_FILE, ...create)).folder)
  const whole = await command(copy.dataDir, ON_FILE, ...create, '--with-evidence', '--with-secret')
  backups.whole = String(whole.folder)
})
afterAll(async () => {
  await copy?.stop()
  rmSync(root, { recursive: true, force: true, maxRetries: 3 })
})

const readJson = async <S extends z.ZodType>(url: string, schema: S): Promise<z.infer<S>> =>
  schema.parse(await (await fetch(url)).json())
/** A queued job has no run yet. */
const runsSchema = z.object({ runs: z.array(z.object({ runId: z.string().nullable() })) })
const episodesSchema = z.object({ episodes: z.array(z.object({ episodeId: z.string() })) })

/** The first runs are queued a moment after the start. */
async function hasRun(): Promise<boolean> {
  const { runs } = await readJson(`${copy.url}/api/v1/runs`, runsSchema)
  const { queue } = await readJson(`${copy.url}/api/v1/health`, healthSchema)
  return runs.length >= 5 && queue?.queued === 0 && queue.running === 0
}

async function signIn(url: string): Promise<string> {
  const { email, password } = await makeUser(copy.dataDir)
  const action = readBuiltSite().actions.find(({ name }) => name.endsWith('signInAction'))
  const page = '/sign-in'
  const fields = { email, password, next: '/admin' }
  return (await callAction(url, { id: action?.id ?? '', page }, fields)).cookie
}

/** Returns whether a session opens the admin pages. */
async function isSignedIn(url: string, cookie: string): Promise<boolean> {
  const { status } = await fetch(`${url}/admin/system`, { headers: { cookie }, redirect: 'manual' })
  return status === 200
}

async function upload(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/zip' }
  const body = new Uint8Array(zip)
  return (await fetch(`${url}/api/v1/results`, { method: 'POST', headers, body })).status
}

/** Runs a command that has to succeed, and returns its JSON. */
async function command(dir: string, settings: Settings, ...args: string[]) {
  const { code, stdout, stderr } = await startProofboard(dir, [...args, '--json'], settings).ended
  expect(code, `${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0)
  return lastJson(stdout)
}

const checkSchema = z.object({ elsewhere: z.number(), whole: z.number().optional() })
const check = async (dir: string, settings: Settings, ...args: string[]) =>
  checkSchema.parse(await command(dir, settings, ...args))

/** Reads the API, without evidence, by address. */
async function readAll(url: string): Promise<Map<string, string>> {
  const { runs } = await readJson(`${url}/api/v1/runs`, runsSchema)
  const { episodes } = await readJson(`${url}/api/v1/episodes?limit=20`, episodesSchema)
  const addresses = [
    ...[
      'leaderboard?suite=typescript',
      'leaderboard?suite=browser',
      'suites',
      'ledger.json',
      'subjects',
    ],
    ...['reports', 'leaderboard/export?suite=typescript&format=csv', 'runs'],
    ...runs.flatMap(({ runId }) => [`runs/${runId}`, `runs/${runId}/export?format=bundle`]),
    ...episodes.map(({ episodeId }) => `episodes?run=${episodeId}`),
  ]
  const texts = new Map<string, string>()
  for (const address of addresses)
    texts.set(address, await (await fetch(`${url}/api/v1/${address}`)).text())
  return texts
}

async function listEpisodes(url: string): Promise<string[]> {
  const { episodes } = await readJson(`${url}/api/v1/episodes?limit=200`, episodesSchema)
  return episodes.map(({ episodeId }) => episodeId)
}

/** Starts a web server on a data folder, and stops it after `work`. */
async function serving(dir: string, settings: Settings, work: (url: string) => Promise<void>) {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const web = await startWeb(dir).finally(() => vi.unstubAllEnvs())
  try {
    await work(web.url)
  } finally {
    await web.stop()
  }
}

async function expectSameBoard(url: string): Promise<void> {
  expect(await readAll(url)).toEqual(shown)
  expect(/session_token=./.test(await signIn(url))).toBe(true)
  expect(await upload(url)).toBe(200) // already stored, so the token is valid
}

async function expectNoEvidence(url: string): Promise<void> {
  for (const episodeId of await listEpisodes(url)) {
    const log = await fetch(`${url}/api/v1/episodes/${episodeId}/logs?role=gate-log`)
    expect(await log.text()).toMatch(/is not in this data folder|is stored here/)
    const page = await (await fetch(`${url}/episodes/${episodeId}`)).text()
    expect(page).not.toMatch(/is missing/)
  }
}

it.each(['bare', 'whole'] as const)('a backup is verified and restored: %s', async (kind) => {
  const elsewhere = kind === 'bare' ? files : 0
  const folder = backups[kind]
  expect(await check(root, ON_FILE, 'backup', 'verify', folder)).toMatchObject({ elsewhere })
  await command(root, ON_FILE, 'backup', 'restore', folder, '--into', restored[kind])
  expect(await check(restored[kind], ON_FILE, 'ledger', 'verify')).toMatchObject({ elsewhere })
  const counts = { whole: files - elsewhere, elsewhere }
  for (const args of [
    ['evidence', 'check'],
    ['retention', '--verify'],
  ])
    expect(await check(restored[kind], ON_FILE, ...args)).toMatchObject(counts)
})

it('a restored board without evidence shows the same and signs people in', async () => {
  await serving(restored.bare, ON_FILE, async (url) => {
    await expectSameBoard(url)
    await expectNoEvidence(url)
    expect(await isSignedIn(url, session)).toBe(false)
    const { leftOut, problems } = await readJson(`${url}/api/v1/health`, healthSchema)
    expect(leftOut?.files).toBe(files)
    expect(problems.join(' ')).not.toMatch(/evidence/i)
  })
})

it('a restored board with evidence and secrets shows the same, evidence too, and keeps sessions', async () => {
  await serving(restored.whole, ON_FILE, async (url) => {
    await expectSameBoard(url)
    expect(await isSignedIn(url, session)).toBe(true)
    for (const episodeId of (await listEpisodes(url)).slice(0, 40)) {
      const path = `/api/v1/episodes/${episodeId}`
      expect(await (await fetch(url + path)).text()).toBe(
        await (await fetch(copy.url + path)).text(),
      )
    }
  })
})

describe('on PostgreSQL', { tags: 'postgresql' }, () => {
  const other = join(root, 'third')
  let settings: Settings
  let drop: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const made = await postgresDatabase({ isEmpty: true })
    drop = made.drop
    settings = { DATABASE_URL: made.url }
    const file = join(restored.whole, 'proofboard.db')
    await moveToServer(file, made.url, { migrationsDir: MIGRATIONS_DIR, now: new Date() })
  })
  afterAll(() => drop?.())

  it('the board is the same on the machine with its evidence and on one without', async () => {
    for (const [dir, elsewhere] of [
      [restored.whole, 0],
      [other, files],
    ] as const) {
      await serving(dir, settings, async (url) => {
        await expectSameBoard(url)
        if (elsewhere > 0) await expectNoEvidence(url)
      })
      expect(await check(dir, settings, 'ledger', 'verify')).toMatchObject({ elsewhere })
      const counts = { whole: files - elsewhere, elsewhere }
      expect(await check(dir, settings, 'evidence', 'check')).toMatchObject(counts)
    }
  })

  it('a backup of either machine is restored as a file: the way back', async () => {
    for (const [dir, elsewhere] of [
      [restored.whole, 0],
      [other, files],
    ] as const) {
      const create = ['backup', 'create', '--to', join(root, 'back'), '--with-evidence']
      const { folder } = await command(dir, settings, ...create)
      const back = join(root, `back-${elsewhere}`)
      expect(await check(root, ON_FILE, 'backup', 'verify', String(folder))).toMatchObject({
        elsewhere,
      })
      await command(root, ON_FILE, 'backup', 'restore', String(folder), '--into', back)
      expect(await check(back, ON_FILE, 'ledger', 'verify')).toMatchObject({ elsewhere })
      await serving(back, ON_FILE, expectSameBoard)
    }
  })
})

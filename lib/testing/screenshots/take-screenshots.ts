import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { openDb } from '../../db/open-db.ts'
import { boardSchema } from '../../domain/board/index.ts'
import { launchTestChromium, signInAs, type TestUser } from '../e2e/browser.ts'
import { startCopy, waitUntil } from '../e2e/start-copy.ts'
import { seedDemo } from '../factories/demo/demo-boards.ts'
import { startProofboard } from '../factories/proofboard-command.ts'

const FOLDER = '.github/screenshots'
const MEASURED_WITHIN_MS = 30 * 60_000

type Shot = {
  name: string
  path: string
  height?: number
  scheme?: 'light' | 'dark'
  phone?: true
}

/**
 * Takes the screenshots of README.md on a separate server: real episodes of the first start, and the demo suite
 * (simulated, as its title says) if a screenshot needs entries of every badge. `names` = some of them. Returns the exit
 * code.
 */
export async function main(names: readonly string[]): Promise<number> {
  const copy = await startCopy()
  // A changed file in the repository would leave the runs without an exact version of their harness.
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-screenshots-'))
  const browser = await launchTestChromium()
  try {
    const user = await addUser(copy.dataDir)
    say('waiting for the first run')
    const live = await waitUntil('a run to be under way', () => findRunning(copy.url), {
      limitMs: MEASURED_WITHIN_MS,
    })
    await takeAdminShots(browser, copy.url, user, live, { folder, names })
    await addDemo(copy.dataDir)
    const order = { browser, url: copy.url, folder, names }
    await takeAsked(order, await waitUntil('the demo', () => listDemoShots(copy.url)))
    if (names.length === 0 || !names.every((name) => UNMEASURED.includes(name))) {
      say('waiting until the first runs of two browser libraries are measured: minutes')
      const limits = { limitMs: MEASURED_WITHIN_MS, everyMs: 5000 }
      await takeAsked(
        order,
        await waitUntil('the first entries', () => listMeasuredShots(copy.url), limits),
      )
    }
    await cp(folder, FOLDER, { recursive: true })
  } finally {
    await browser.close()
    await copy.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return 0
}

/** Adds the suites of `npm run demo` to the first runs. */
async function addDemo(dataDir: string): Promise<void> {
  const db = openDb(join(dataDir, 'proofboard.db'))
  await seedDemo(db, dataDir)
  await db.$disconnect()
}

/** Screenshots that need no measured library. */
const UNMEASURED = ['live', 'launch', 'claims', 'claims-dark', 'compare']

type Order = { browser: Browser; url: string; folder: string; names: readonly string[] }

async function takeAsked({ browser, url, folder, names }: Order, shots: readonly Shot[]) {
  for (const shot of shots)
    if (isRequested(shot.name, names)) await take(browser, url, shot, folder)
}

function isRequested(name: string, names: readonly string[]): boolean {
  return names.length === 0 || names.includes(name)
}

async function addUser(dataDir: string): Promise<TestUser> {
  const user: TestUser = {
    email: 'admin@example.org',
    password: 'three words and a horse',
    role: 'admin',
  }
  const added = ['accounts', 'add', user.email, '--role', user.role]
  const { child, ended } = startProofboard(dataDir, added)
  child.stdin?.end(`${user.password}\n`)
  const { code, stderr } = await ended
  if (code !== 0) throw new Error(`the account could not be made: ${stderr}`)
  return user
}

async function findRunning(url: string): Promise<string | null> {
  const runs = await readJson<{ runs: { runId: string | null; status: string }[] }>(
    `${url}/api/v1/runs`,
  )
  return runs?.runs.find(({ runId, status }) => runId && status === 'running')?.runId ?? null
}

/** Pages of the demo suite; null while it has no board. */
async function listDemoShots(url: string): Promise<Shot[] | null> {
  const demo = await readBoard(url, 'demo')
  const [first, second] = (demo ?? []).filter(({ rank }) => rank).map(({ rowId }) => rowId)
  if (!first || !second) return null
  return [
    ...inBoth({ name: 'claims', path: '/?suite=demo', height: 1500 }),
    { name: 'compare', path: `/compare?rows=${first},${second}`, height: 1100 },
  ]
}

/** Pages of real episodes; null until the controls and two libraries have been measured. */
async function listMeasuredShots(url: string): Promise<Shot[] | null> {
  const libraries = await readBoard(url, 'browser')
  const controls = await readBoard(url, 'typescript')
  if (!libraries || !controls || libraries.filter(({ rank }) => rank).length < 2) return null
  const episodes = await readJson<{ episodes: { episodeId: string }[] }>(
    `${url}/api/v1/episodes?suite=browser&outcome=solved&limit=1`,
  )
  const control = await readJson<{ episodes: { episodeId: string }[] }>(
    `${url}/api/v1/episodes?suite=typescript&subject=cheater&limit=1`,
  )
  const [browserEpisode, episode] = [episodes?.episodes[0], control?.episodes[0]]
  if (!browserEpisode || !episode) return null
  return [
    ...inBoth({ name: 'board', path: '/?suite=browser', height: 1000 }),
    { name: 'board-phone', path: '/?suite=browser', phone: true },
    ...inBoth({ name: 'episode', path: `/episodes/${episode.episodeId}`, height: 1000 }),
    { name: 'browser-episode', path: `/episodes/${browserEpisode.episodeId}`, height: 1200 },
  ]
}

/** README shows the dark version to readers who prefer it. */
function inBoth(shot: Shot): Shot[] {
  return [shot, { ...shot, name: `${shot.name}-dark`, scheme: 'dark' }]
}

async function takeAdminShots(
  browser: Browser,
  url: string,
  user: TestUser,
  runId: string,
  { folder, names }: { folder: string; names: readonly string[] },
): Promise<void> {
  const context = await newContext(browser, {})
  const page = await context.newPage()
  await signInAs(page, url, user)
  for (const shot of [
    { name: 'live', path: `/runs/${runId}` },
    { name: 'launch', path: '/admin/launch?suite=typescript&subject=reference&repetitions=3' },
  ]) {
    if (!isRequested(shot.name, names)) continue
    await page.goto(`${url}${shot.path}`)
    await page.screenshot({ path: join(folder, `${shot.name}.png`) })
  }
  await context.close()
}

/** Reports progress, because it takes minutes. */
function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

async function take(browser: Browser, url: string, shot: Shot, folder: string): Promise<void> {
  say(`${shot.name}.png`)
  const context = await newContext(browser, shot)
  const page = await context.newPage()
  await page.goto(`${url}${shot.path}`, { waitUntil: 'networkidle' })
  // Charts are drawn when they come near the viewport.
  await page.getByText('Loading chart').first().waitFor({ state: 'hidden' })
  await page.waitForTimeout(1_000)
  await page.screenshot({ path: join(folder, `${shot.name}.png`) })
  await context.close()
}

const WIDE = { width: 1280, height: 860 }
const PHONE = { width: 390, height: 844 }

function newContext(
  browser: Browser,
  { scheme = 'light', phone, height }: Partial<Shot>,
): Promise<BrowserContext> {
  const viewport = phone ? PHONE : { ...WIDE, height: height ?? WIDE.height }
  return browser.newContext({ viewport, colorScheme: scheme, deviceScaleFactor: phone ? 2 : 1 })
}

async function readBoard(url: string, suite: string) {
  const response = await fetch(`${url}/api/v1/leaderboard?suite=${suite}`)
  return response.ok ? boardSchema.parse(await response.json()).rows : null
}

async function readJson<T>(url: string): Promise<T | null> {
  const response = await fetch(url)
  return response.ok ? ((await response.json()) as T) : null
}

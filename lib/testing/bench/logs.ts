import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { migrate } from '../../db/migrate.ts'
import { openDb } from '../../db/open-db.ts'
import { saveSuite } from '../../db/suite-store.ts'
import type { LiveLine } from '../../domain/api/index.ts'
import { launchTestChromium } from '../e2e/browser.ts'
import { startWeb } from '../e2e/start-copy.ts'
import { seedBrowserDemo } from '../factories/demo/demo-boards.ts'
import { LiveRunFixture, readEvents } from '../factories/live-run.ts'
import { samplePlan, sampleSuite } from '../factories/samples.ts'
import { MIGRATIONS_DIR } from '../factories/temporary-database.ts'

/** Measures a separate production server, in a folder that is removed. */
export async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-bench-logs-'))
  try {
    const { run, directory, episodeId } = await prepare(dataDir)
    const web = await startWeb(dataDir)
    try {
      await measureReaders(web.url, run)
      await measureHugeLog(web.url, { episodeId, file: join(dataDir, directory, 'subject.log') })
    } finally {
      await web.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function prepare(dataDir: string) {
  const file = join(dataDir, 'proofboard.db')
  migrate(file, MIGRATIONS_DIR)
  const db = openDb(file)
  await seedBrowserDemo(db, dataDir)
  const suite = sampleSuite()
  await saveSuite(db, suite, new Date())
  const tasks = suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category }))
  const plan = samplePlan({ suiteDigest: suite.digest, tasks })
  const run = await LiveRunFixture.start(db, plan, { runId: 'run_benchlogs1', dataDir })
  const kept = await db.episode.findFirstOrThrow({ where: { directory: { not: null } } })
  await db.$disconnect()
  return { run, directory: kept.directory ?? '', episodeId: kept.episodeId }
}

const BYTES = 1_000_000_000
const OPEN_GOAL_MS = 1500
const SEARCH_GOAL_MS = 2000
const MEMORY_GOAL_MB = 200
const JUMPS = 40

/** Opens a log of a gigabyte in a real tab: time until it is shown, time of a search, and memory of the tab. */
export async function measureHugeLog(
  url: string,
  { episodeId, file }: { episodeId: string; file: string },
): Promise<void> {
  const lines = writeLog(file)
  process.stdout.write(`a log of ${BYTES / 1e6} MB, ${lines} lines\n`)
  const browser = await launchTestChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const session = await page.context().newCDPSession(page)
    const tab = await browser.newBrowserCDPSession()
    await page.goto(`${url}/`) // the start of server and browser is not measured
    const opened = performance.now()
    await page.goto(`${url}/episodes/${episodeId}?tab=logs`, { waitUntil: 'commit' })
    await page.getByText('Step 0 of the made-up log').waitFor()
    printMeasurement('its first lines stand there', performance.now() - opened, 'ms', OPEN_GOAL_MS)
    await page.getByText(`${lines.toLocaleString('en-US')} lines, `).waitFor()
    printMeasurement('all its lines are counted', performance.now() - opened, 'ms', OPEN_GOAL_MS)
    for (const [text, hits] of [
      ['no such word', 0],
      ['NEEDLE in', 1],
      ['step 800000', 11],
    ] as const) {
      const took = await searchFor(page, text, hits)
      printMeasurement(`search for "${text}", ${hits} found`, took, 'ms', SEARCH_GOAL_MS)
    }
    await page.getByRole('searchbox').fill('')
    for (let jump = 1; jump <= JUMPS; jump++) await goTo(page, Math.floor((lines * jump) / JUMPS))
    await printMemory(session, tab)
  } finally {
    await browser.close()
  }
}

function writeLog(file: string): number {
  const descriptor = openSync(file, 'w')
  let line = 0
  for (let size = 0; size < BYTES; ) {
    let text = ''
    for (let part = 0; part < 10_000; part++, line++) {
      const what =
        line === 7_654_321 ? 'needle in the hay' : `compiled module src/app-${line % 991}.ts`
      text += `2026-11-21T14:47:13.000Z \u001b[32mINFO\u001b[0m [worker ${line % 7}] Step ${line} of the made-up log: ${what}\n`
    }
    size += writeSync(descriptor, text)
  }
  closeSync(descriptor)
  return line
}

async function searchFor(page: Page, text: string, hits: number): Promise<number> {
  const requestedAt = performance.now()
  await page.getByRole('searchbox').fill(text)
  await page.getByText(hits === 0 ? /^no matches$/ : new RegExp(`^1 of ${hits} lines$`)).waitFor()
  return performance.now() - requestedAt
}

async function goTo(page: Page, line: number): Promise<void> {
  await page.getByRole('spinbutton', { name: 'Line' }).fill(String(line))
  await page.getByText(`Step ${line - 1} of the made-up log`).waitFor()
}

async function printMemory(session: CDPSession, tab: CDPSession): Promise<void> {
  const { metrics } = await session
    .send('Performance.enable')
    .then(() => session.send('Performance.getMetrics'))
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
  printMeasurement(
    `the tab's JavaScript heap after ${JUMPS} jumps`,
    heap / 1e6,
    'MB',
    MEMORY_GOAL_MB,
  )
  const { processInfo } = await tab.send('SystemInfo.getProcessInfo')
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  const largest = Math.max(...renderers.map(({ id }) => pssBytes(id)))
  printMeasurement("the tab's process, shared pages by share", largest / 1e6, 'MB', MEMORY_GOAL_MB)
}

/** The proportional set size of a process; NaN outside Linux. */
function pssBytes(pid: number): number {
  try {
    const [, kilobytes] =
      /^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return Number.NaN
  }
}

const READERS = 100
const LINES = 200
const EVERY_MS = 50
const GOAL_MS = 250

/** Time from writing a line until each of a hundred readers has received it. */
export async function measureReaders(url: string, run: LiveRunFixture): Promise<void> {
  run.say('ready\n')
  const writtenAt = new Map<string, number>()
  const times: number[] = []
  const open = Array.from({ length: READERS }, () =>
    fetch(`${url}/api/v1/runs/${run.runId}/log/stream?from=0`),
  )
  const reading = open.map(async (response) => {
    let seen = 0
    for await (const text of readTexts(await response)) {
      const at = writtenAt.get(text)
      if (at === undefined) continue
      times.push(performance.now() - at)
      if (++seen === LINES) return
    }
  })
  await Promise.all(open)
  await pause(1000)
  for (let line = 0; line < LINES; line++) {
    const text = `measured line ${line}`
    writtenAt.set(text, performance.now())
    run.say(`${text}\n`)
    await pause(EVERY_MS)
  }
  await Promise.all(reading)
  process.stdout.write(
    `${READERS} readers of a live log, ${LINES} lines, ${times.length} arrivals\n`,
  )
  printMeasurement('from write to arrival, p50', quantileOf(times, 0.5), 'ms', GOAL_MS)
  printMeasurement('from write to arrival, p95', quantileOf(times, 0.95), 'ms', GOAL_MS)
}

async function* readTexts(response: Response): AsyncGenerator<string> {
  for await (const { event, data } of readEvents(response)) {
    if (event === 'lines') yield* (data as { lines: LiveLine[] }).lines.map(({ text }) => text)
  }
}

/** Returns a quantile of the values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Formats `first lines of a log: 412 ms (goal 1500 ms, 0.27 of it)`. */
export function printMeasurement(name: string, value: number, unit: string, goal: number): void {
  const ratio = (value / goal).toFixed(2)
  process.stdout.write(
    `${name}: ${value.toFixed(0)} ${unit} (goal ${goal} ${unit}, ${ratio} of it)\n`,
  )
}

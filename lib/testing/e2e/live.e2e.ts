// @module-tag chromium
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { enqueueJob, findJob } from '#lib/db/job-store.ts'
import { openDb } from '#lib/db/open-db.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { formatRunEvent, planSchema, runEventSchema } from '#lib/domain/record/index.ts'
import { listAxeViolations, VIEWS } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { startWeb, waitUntil } from '#lib/testing/e2e/start-copy.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { LiveRunFixture } from '#lib/testing/factories/live-run.ts'
import { samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import { writeMigrated } from '#lib/testing/factories/temporary-database.ts'
import type { Db } from '../../db/db.ts'

let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
})
afterAll(() => browser.close())

/** Visible lines of one source in the log panel. */
async function shownLines(page: Page, source: string): Promise<string[]> {
  const rows = page.getByRole('region', { name: 'Run log' }).locator('div.flex')
  return rows.evaluateAll(
    (all, wanted) =>
      all
        .filter((row) => row.querySelector('span')?.textContent === wanted)
        .map((row) => row.querySelector('bdi')?.textContent ?? ''),
    source,
  )
}

/** The tasks of the run, in three parts: before, during and after the network is off. */
const TASKS = ['lru-cache', 'rate-limiter', 'glob-matcher', 'csv-parser', 'text-diff', 'json-patch']

describe('a real run, watched', () => {
  const site = inject('siteUrl')
  const dataDir = inject('siteDir')
  const tickets = mkdtempSync(join(tmpdir(), 'proofboard-tickets-'))
  let jobId = ''
  const db = openDb(join(dataDir, 'proofboard.db'))
  beforeAll(async () => {
    chmodSync(tickets, 0o777) // the subject may be another user
    jobId = await enqueueWaiting(db, dataDir, tickets)
  })
  afterAll(async () => {
    await db.$disconnect()
    rmSync(tickets, { recursive: true, force: true })
  })
  /** Lets these episodes end, so that the page never has to keep pace. */
  const letEnd = (from: number, to: number) => {
    for (let at = from; at < to; at++) writeFileSync(join(tickets, `ticket-${at}`), '')
  }

  it('fills its page in, also over a time without a network, and no line is lost or doubled', async () => {
    const runId = await waitUntil('the run', async () => (await findJob(db, jobId))?.runId)
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    await page.goto(`${site}/runs/${runId}`)
    await page.evaluate(() => Object.assign(window, { opened: 'once' }))
    const list = await context.newPage()
    await list.goto(`${site}/runs`)
    await list.evaluate(() => Object.assign(window, { opened: 'once' }))
    const sealed = page.getByText(/sealed: /)
    await page.getByTitle('Repetition 1: running').first().waitFor()
    letEnd(0, 2)
    await sealed.nth(1).waitFor({ timeout: 60_000 })
    await context.setOffline(true)
    letEnd(2, 4)
    await waitUntil('episodes that the page cannot see', async () => {
      const run = await (await fetch(`${site}/api/v1/runs/${runId}`)).json()
      return run.sealed >= 4 ? true : null
    })
    await list.getByText('The server does not respond').waitFor()
    await context.setOffline(false)
    letEnd(4, TASKS.length)
    await page.getByText('6/6 finished').waitFor({ timeout: 120_000 })
    await page.getByText(/run ended: 6 sealed/).waitFor()
    expect(await page.getByTitle('Repetition 1: running').count()).toBe(0)
    expect(await page.locator('table a[href^="/episodes/"]').count()).toBe(6)
    expect(await page.evaluate(() => Reflect.get(window, 'opened'))).toBe('once')
    await list.getByText('The server does not respond').waitFor({ state: 'hidden' })
    expect(await list.evaluate(() => Reflect.get(window, 'opened'))).toBe('once')
    const log = readFileSync(join(dataDir, 'runs', runId, 'runner.log'), 'utf8')
    const parts = log.split('\n').slice(0, -1)
    const words = parts.map((line) => (line.startsWith('{') ? toWords(line) : line))
    expect(await shownLines(page, 'runner')).toEqual(words)
    await context.close()
  })
})

/** Queues a run whose episodes end one by one, each when its ticket file exists. */
async function enqueueWaiting(db: Db, dataDir: string, tickets: string): Promise<string> {
  const command = `while :; do for t in ${tickets}/ticket-*; do rm "$t" 2>/dev/null && exit 0; done; sleep 0.1; done`
  const subject = ['--command', command, '--name', 'watched', '--subject-version', '1.0.0']
  const tasks = ['--suite', 'typescript', '--tasks', TASKS.join(','), '--isolation', 'local']
  const file = join(tickets, 'plan.json')
  const args = ['plan', ...tasks, ...subject, '--out', file]
  const { code, stderr } = await proofboardHere(dataDir, args)
  if (code !== 0) throw new Error(stderr)
  const plan = readFileSync(file, 'utf8')
  const { planDigest } = planSchema.parse(JSON.parse(plan))
  const job = { suiteId: 'typescript', subject: 'watched', repetitions: 1 }
  return enqueueJob(db, job, new Date(), { priority: 100, frozen: { plan, planDigest } })
}

const toWords = (line: string) => formatRunEvent(runEventSchema.parse(JSON.parse(line)))

describe('the page of a run that goes on', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-live-e2e-'))
  let db: Db
  let run: LiveRunFixture
  let web: Awaited<ReturnType<typeof startWeb>>

  beforeAll(async () => {
    writeMigrated(join(dataDir, 'proofboard.db'))
    db = openDb(join(dataDir, 'proofboard.db'))
    const suite = sampleSuite()
    await saveSuite(db, suite, new Date())
    const tasks = suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category }))
    const plan = samplePlan({ suiteDigest: suite.digest, tasks })
    run = await LiveRunFixture.start(db, plan, { runId: 'run_livee2e001', dataDir })
    run.begin('alpha')
    run.saySubject('alpha', '\u001b[32mfirst\u001b[0m\n<b>bold</b>\u0000\n')
    web = await startWeb(dataDir)
  })
  afterAll(async () => {
    await web.stop()
    await db.$disconnect()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('goes on by itself when the server was started again', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(`${web.url}/runs/${run.runId}`)
    await page.getByText('first', { exact: true }).waitFor()
    await page.getByText('live', { exact: true }).waitFor()
    await web.stop()
    run.saySubject('alpha', 'while nobody served\n')
    web = await startWeb(dataDir, web.port)
    run.saySubject('alpha', 'afterwards\n')
    await page.getByText('afterwards').waitFor({ timeout: 60_000 })
    expect(await shownLines(page, 'alpha r1')).toEqual([
      'first',
      '<b>bold</b>⟨U+0000⟩',
      'while nobody served',
      'afterwards',
    ])
    expect(await page.locator('.ansi-green').textContent()).toBe('first')
    await page.close()
  })

  it('is paused, searched and followed', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(`${web.url}/runs/${run.runId}`)
    await page.getByText('afterwards').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    run.saySubject('alpha', `${Array.from({ length: 600 }, (_, at) => `many ${at}`).join('\n')}\n`)
    await page.getByText('Paused. Resume to load').waitFor()
    expect(await page.getByText('many 599').count()).toBe(0)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('many 599').waitFor()
    await page.getByRole('searchbox', { name: 'Search this log' }).fill('MANY 30')
    await page.getByText('1 of 11 lines').waitFor()
    await page.getByText('many 30', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Follow' }).click()
    run.saySubject('alpha', 'the newest\n')
    await page.getByText('the newest').waitFor()
    await page.close()
  })

  it.each(VIEWS)(
    'is clean to axe and no wider than the window at %d px, %s',
    async (width, colorScheme) => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
      const page = await context.newPage()
      await page.goto(`${web.url}/runs/${run.runId}`)
      await page.getByText('live', { exact: true }).waitFor()
      expect(await listAxeViolations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        width,
      )
      await context.close()
    },
  )

  it('is a snapshot without scripts, and shows the end with them', async () => {
    const stored = async () => (await fetch(`${web.url}/runs/${run.runId}`)).text()
    expect(await stored()).toContain('alpha r1 started')
    const context = await browser.newContext({ javaScriptEnabled: false })
    const still = await context.newPage()
    await still.goto(`${web.url}/runs/${run.runId}`)
    expect(await still.getByText('alpha r1 started').count()).toBe(1)
    expect(await still.getByText(/this page does not follow it: reload it/).count()).toBe(1)
    await context.close()
    const page = await browser.newPage()
    await page.goto(`${web.url}/runs/${run.runId}`)
    await page.getByText('live', { exact: true }).waitFor()
    run.saySubject('alpha', 'no end of a line')
    run.seal('alpha')
    await page.getByText('alpha r1 sealed: solved').waitFor()
    await page.getByTitle('Repetition 1: solved').waitFor()
    // A page that was sent before the run ended is not served from the cache.
    expect(await stored()).toContain('alpha r1 sealed: solved')
    await run.end()
    await page.getByText('All planned episodes are finished.').waitFor()
    expect(await stored()).toContain('All planned episodes are finished.')
    expect((await shownLines(page, 'alpha r1')).at(-1)).toBe('no end of a line')
    await page.close()
  })
})

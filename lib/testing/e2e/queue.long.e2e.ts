// @module-tag chromium
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enqueueJob } from '#lib/db/job-store.ts'
import { openDb } from '#lib/db/open-db.ts'
import { listAxeViolations, signInAs, VIEWS } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { makeUser } from '#lib/testing/e2e/make-user.ts'
import { type Copy, startCopy, waitUntil } from '#lib/testing/e2e/start-copy.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
import { freezeCommand, QUEUE_SUITE } from '#lib/testing/factories/real-queue.ts'
import type { Db } from '../../db/db.ts'

let browser: Browser
let copy: Copy
let db: Db
let admin: BrowserContext
let page: Page
let slow = ''

/** Folder of a file that the agent waits for; the agent may be another user. */
const signs = mkdtempSync(join(tmpdir(), 'proofboard-signs-'))

/** One slot, so that only the first job runs; its agent waits until the file `released` exists. */
beforeAll(async () => {
  const settings = {
    PROOFBOARD_FIRST_RUNS: '0',
    PROOFBOARD_CONCURRENCY: '1',
    PROOFBOARD_CHROMIUM: 'none',
  }
  copy = await startCopy(settings, async (dataDir) => {
    temporarySuite(dataDir, QUEUE_SUITE, ['lru-cache', 'rate-limiter'])
  })
  db = openDb(join(copy.dataDir, 'proofboard.db'))
  browser = await connectToChromium()
  admin = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await admin.newPage()
  await signInAs(page, copy.url, await makeUser(copy.dataDir), '/admin/queue')
  chmodSync(signs, 0o755)
  const command = `while ! test -e ${join(signs, 'released')}; do sleep 0.2; done`
  const frozen = await freezeCommand(copy.dataDir, command, 1)
  const payload = { suiteId: QUEUE_SUITE, subject: 'test-agent', repetitions: 1 }
  slow = await enqueueJob(db, payload, new Date(), { frozen, requestedBy: 'ada@example.org' })
  await waitUntil('the slow job runs', async () => (await runOf(slow)) || null)
  await enqueueJob(db, { ...payload, subject: 'nop' }, new Date())
  await enqueueJob(db, { ...payload, subject: 'reference' }, new Date())
})
afterAll(async () => {
  await browser?.close()
  await db?.$disconnect()
  await copy?.stop()
  rmSync(signs, { recursive: true, force: true })
})

async function runOf(jobId: string): Promise<string> {
  return (await db.job.findUnique({ where: { id: jobId } }))?.runId ?? ''
}

const list = (name: string) => page.getByRole('table', { name }).locator('tbody tr')
const waitingNames = async () => {
  const lines = await list('Waiting jobs, in queue order').allTextContents()
  return lines.map((line) => line.split(' ')[0]?.replace(/^Job/, ''))
}

describe('the queue page', () => {
  it('shows what runs, what waits and why', async () => {
    await page.goto(`${copy.url}/admin/queue`)
    await page.getByText('1 of 1 slot').waitFor()
    expect(await list('Running jobs').textContent()).toMatch(/heartbeat .* ago/)
    const waiting = await list('Waiting jobs, in queue order').allTextContents()
    expect(waiting[0]).toContain('machine full: needs 1 slot, 0 free')
    expect(waiting[1]).toContain('waiting behind an earlier job')
  })

  it('moves a job to the front, and sets a priority', async () => {
    await page.getByRole('button', { name: /^Move to front: reference/ }).click()
    await waitUntil(
      'reference is first',
      async () => (await waitingNames())[0] === 'reference' || null,
    )
    const nop = list('Waiting jobs, in queue order').filter({ hasText: 'nop on' })
    await nop.getByRole('spinbutton', { name: 'Priority' }).fill('50')
    await nop.getByRole('button', { name: /^Set the priority of nop/ }).click()
    await waitUntil('nop is first', async () => (await waitingNames())[0] === 'nop' || null)
    const audit = await db.auditEntry.findMany({ where: { action: 'job.priority' } })
    expect(audit.map(({ actor }) => actor)).toEqual(['admin@example.org', 'admin@example.org'])
  })

  it.each(VIEWS)(
    'is clean to axe and no wider than the window at %d px, %s',
    async (width, colorScheme) => {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      for (const path of ['/admin/queue', `/runs/${await runOf(slow)}`]) {
        await page.goto(copy.url + path)
        await page.getByText('Cancel…').first().waitFor()
        expect(await listAxeViolations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          width,
        )
      }
      await page.setViewportSize({ width: 1280, height: 900 })
    },
  )

  it('shows a viewer everything and lets them change nothing', async () => {
    const context = await browser.newContext()
    const own = await context.newPage()
    await signInAs(own, copy.url, await makeUser(copy.dataDir, 'viewer'), '/admin/queue')
    await own.getByText('1 of 1 slot').waitFor()
    expect(await own.getByText('Cancel…').count()).toBe(0)
    expect(await own.getByRole('button', { name: /Move to front/ }).count()).toBe(0)
    await context.close()
  })
})

describe('a run’s actions', () => {
  it('are not there for who is not signed in', async () => {
    const context = await browser.newContext()
    const own = await context.newPage()
    await own.goto(`${copy.url}/runs/${await runOf(slow)}`)
    await own.getByRole('heading', { name: 'Episodes' }).waitFor()
    expect(await own.getByRole('region', { name: 'Actions' }).count()).toBe(0)
    await context.close()
  })

  it('cancel says what it keeps, stops the run, and resume goes on with the rest', async () => {
    await page.goto(`${copy.url}/runs/${await runOf(slow)}`)
    expect(await page.getByRole('button', { name: 'Resume' }).isDisabled()).toBe(true)
    await page.getByText('Cancel…').click()
    const effect = 'Stops the run now. Finished episodes are kept, the others will not run.'
    await page.getByText(effect, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Cancel this run' }).click()
    await page.getByText('cancelled by an administrator').waitFor()
    await page.getByText('Runs 2 of 2 episodes; none are finished yet.').waitFor()
    writeFileSync(join(signs, 'released'), '')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('All planned episodes are finished.').first().waitFor({ timeout: 120_000 })
    // The event stream reports the end first; the permitted actions come with the page, a moment later.
    const reason = page.getByText('All planned episodes are finished: nothing to resume.')
    await reason.waitFor({ state: 'attached' })
  })

  it('one click tops up the row of a run', async () => {
    const runId = await runOf(slow)
    const offer = async () => {
      await page.goto(`${copy.url}/runs/${runId}`)
      return (await page.getByRole('button', { name: 'Top up' }).isEnabled()) || null
    }
    await waitUntil('the row can be topped up', offer)
    await page.getByRole('button', { name: 'Top up' }).click()
    const reason = page.getByText(/A top-up of this entry is already (queued|running)/)
    await reason.waitFor({ state: 'attached' })
    expect(await db.auditEntry.count({ where: { action: 'run.top-up' } })).toBe(1)
  })
})

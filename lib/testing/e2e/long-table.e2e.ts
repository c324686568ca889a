// @module-tag chromium
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDb } from '#lib/db/open-db.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { untilHydrated } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { startWeb } from '#lib/testing/e2e/start-copy.ts'
import { seedRows } from '#lib/testing/factories/demo/demo-boards.ts'
import { DEMO_ROWS, demoSuite } from '#lib/testing/factories/demo/demo-suites.ts'
import { writeMigrated } from '#lib/testing/factories/temporary-database.ts'

const TASKS = 1000
const ENTRIES = 210
const STEP = 300
const STEPS = 12
const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-long-table-'))
let browser: Browser
let web: Awaited<ReturnType<typeof startWeb>>

beforeAll(async () => {
  const file = join(dataDir, 'proofboard.db')
  writeMigrated(file)
  const db = openDb(file)
  await saveSuite(db, demoSuite(2, TASKS), new Date())
  const [first] = DEMO_ROWS
  if (!first) throw new Error('the demo has no rows')
  await seedRows(
    db,
    { ...demoSuite(2, 1), suiteId: 'entries' },
    Array.from({ length: ENTRIES }, (_, at) => ({ ...first, name: `agent-${at}`, repetitions: 1 })),
  )
  await db.$disconnect()
  web = await startWeb(dataDir)
  browser = await connectToChromium()
})
afterAll(async () => {
  await browser.close()
  await web.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The row in the middle of the window, and its distance from the top. */
const middle = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('main tbody tr:not([data-space]):has(a)')]
    const at = rows.findIndex((one) => one.getBoundingClientRect().bottom > window.innerHeight / 2)
    const row = rows[at]
    return {
      name: row?.querySelector('a')?.textContent ?? '',
      top: row?.getBoundingClientRect().top ?? 0,
    }
  })

/** Waits until what was scrolled is drawn. */
const settle = (page: Page) => page.waitForTimeout(400)

/** Shows all rows, and waits until those that are far away are only a space. */
async function showAll(page: Page): Promise<void> {
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.locator('main [data-space]').first().waitFor({ state: 'attached' })
}

it.each([
  ['the tasks of a suite', '/suites/demo', 1280],
  ['the tasks of a suite', '/suites/demo', 360],
  ['the entries of a board', '/?suite=entries', 1280],
  ['the entries of a board, as cards', '/?suite=entries', 360],
])('%s (%s, %d px) move by what is scrolled', async (_, path, width) => {
  const page = await browser.newPage({ viewport: { width, height: 800 } })
  await page.goto(`${web.url}${path}`)
  await showAll(page)
  await page.evaluate(() => window.scrollTo(0, 2000))
  await settle(page)
  expect(await page.locator('main tbody tr').count()).toBeLessThan(150)
  for (let step = 0; step < STEPS; step += 1) {
    const from = await middle(page)
    const row = page.locator('main tbody tr').filter({
      has: page.getByRole('link', { name: from.name, exact: true }),
    })
    await page.mouse.wheel(0, STEP)
    await settle(page)
    const box = await row.first().boundingBox()
    expect(Math.abs(from.top - STEP - Number(box?.y)), `step ${step}`).toBeLessThan(3)
  }
  await page.close()
})

it('the last row of a long table is reached', async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
  await page.goto(`${web.url}/?suite=entries`)
  await showAll(page)
  const table = page.locator('#entries')
  await expect
    .poll(async () => {
      await table.evaluate((one) => one.scrollIntoView({ block: 'end' }))
      return table.locator('[data-space]').evaluateAll((all) => all.length)
    })
    .toBe(1)
  await page.close()
})

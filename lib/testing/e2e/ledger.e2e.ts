// @module-tag chromium
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { parseLedger } from '#lib/domain/archive/index.ts'
import { boardFilled, listAxeViolations, VIEWS } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'

const site = inject('siteUrl')
let browser: Browser
let page: Page
let runId: string

beforeAll(async () => {
  browser = await connectToChromium()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  runId = (await boardFilled(site)).get('nop')?.runIds.at(-1) ?? ''
})
afterAll(() => browser.close())

describe('the ledger', () => {
  it('says that its chain holds, and shows the head to note down', async () => {
    await page.goto(`${site}/ledger`)
    await page.getByText('Ledger verified').waitFor()
    const { entries } = parseLedger(await (await fetch(`${site}/api/v1/ledger.json`)).text())
    const noted = await page.locator('code', { hasText: /^sha256:[0-9a-f]{64}$/ }).textContent()
    expect(entries.map(({ hash }) => hash)).toContain(noted)
  })

  it('opens a line for what it cuts', async () => {
    await page.getByRole('button', { name: 'Details of 1', exact: true }).click()
    const hashes = page.getByRole('definition').filter({ hasText: /^sha256:[0-9a-f]{64}$/ })
    await hashes.first().waitFor()
    await page.getByRole('button', { name: 'Details of 1', exact: true }).click()
    await hashes.first().waitFor({ state: 'hidden' })
  })

  it('leads from a run to what was written about it, and back', async () => {
    await page.locator('input[type=search][name=target]').fill(runId)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.waitForURL(new RegExp(`target=${runId}`))
    expect(await page.locator('tr[data-row]').count()).toBe(2)
    await page.getByRole('link', { name: 'Run included' }).click()
    await page.waitForURL(/kind=include/)
    const line = page.locator('tr[data-row]')
    expect(await line.count()).toBe(1)
    expect(await line.textContent()).toContain('provenance local')
    await line.locator(`a[href="/runs/${runId}"]`).click()
    await page.waitForURL(`${site}/runs/${runId}`)
    expect(await page.getByRole('list', { name: 'Corrections' }).count()).toBe(0)
  })

  it('offers the whole ledger as a file', async () => {
    await page.goto(`${site}/ledger`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the ledger' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('ledger.json')
  })

  it('says so when nothing fits', async () => {
    await page.goto(`${site}/ledger?target=run_nowhere`)
    await page.getByRole('heading', { name: /No entries for/ }).waitFor()
  })
})

describe.each(VIEWS)('at %d px, %s', (width, colorScheme) => {
  it('is clean to axe and no wider than the window', async () => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    const own = await context.newPage()
    await own.goto(`${site}/ledger#entry-1`)
    await own.getByText('Ledger verified').waitFor()
    expect(await listAxeViolations(own)).toEqual([])
    expect(await own.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    )
    await context.close()
  })
})

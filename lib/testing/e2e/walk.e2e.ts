// @module-tag chromium
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { boardFilled, type ReadRow } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { waitUntil } from '#lib/testing/e2e/start-copy.ts'

const site = inject('siteUrl')
let browser: Browser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  browser = await connectToChromium()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('pageerror', (error) => complaints.push(`error on the page: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
})
afterAll(() => browser.close())
afterEach(() => {
  expect(complaints.splice(0)).toEqual([])
})

const rowOf = (name: string): Locator =>
  page.locator('tr[data-row]').filter({ has: page.getByRole('link', { name, exact: true }) })

async function see(locator: Locator): Promise<void> {
  await locator.first().waitFor({ state: 'visible', timeout: 60_000 })
}

describe('from the board to one log line', () => {
  let rows: Map<string, ReadRow>

  beforeAll(async () => {
    rows = await boardFilled(site)
    // Another test may have added an agent; then the board lists controls only on request.
    await page.goto(`${site}/?suite=typescript&kind=control`)
  })

  it('shows reference 8 of 8 and nop 0 of 8, as control, with reasons', async () => {
    for (const [name, solved, rate] of [
      ['reference', 8, '100'],
      ['nop', 0, '0.0'],
    ] as const) {
      const row = rows.get(name)
      expect(row).toMatchObject({ solved, scored: 8, label: 'scaffold' })
      expect(row?.reasons).not.toEqual([])
      await waitUntil(`${name} at ${rate} %`, async () => {
        const text = (await rowOf(name).textContent()) ?? ''
        return text.includes(rate) && /8 × 1/.test(text) && /control/.test(text) ? text : null
      })
    }
  })

  it('says beside the row why it is not a claim', async () => {
    await rowOf('reference')
      .getByRole('button', { name: /reason/ })
      .click()
    for (const reason of rows.get('reference')?.reasons ?? []) await see(page.getByText(reason))
  })

  it('leads from the row to its run', async () => {
    await rowOf('reference').getByRole('link', { name: 'reference', exact: true }).click()
    await page.waitForURL('**/agents/reference')
    await page.locator('#runs a[href^="/runs/run_"]').first().click()
    await page.waitForURL(/\/runs\/run_/)
    await see(page.getByRole('heading', { level: 1, name: /reference/ }))
    await see(page.getByText(/8\/8 finished, 8 solved/))
    await see(page.getByRole('heading', { name: 'Plan', exact: true }))
    expect(await page.locator('a[href^="/episodes/"]').count()).toBe(8)
  })

  it('leads from a cell to its episode, with phases, contract and diff', async () => {
    const cell = page.locator('a[href^="/episodes/"]').first()
    const target = await cell.getAttribute('href')
    await cell.click()
    await page.waitForURL(`**${target}`)
    await see(page.getByText('solved').first())
    for (const [tab, heading] of [
      ['Summary', 'Phases'],
      ['Tests', 'Success criteria'],
      ['Diff', 'Workspace diff'],
      ['Logs', 'Logs'],
    ] as const) {
      await page.getByRole('tab', { name: tab, exact: true }).click()
      await see(page.getByRole('tab', { name: tab, exact: true, selected: true }))
      await see(page.getByRole('heading', { name: heading, exact: true }))
    }
  })

  it('leads to one line of a log, and the link restores it', async () => {
    await page.getByRole('link', { name: 'Verifier log' }).click()
    await page.waitForURL(/log=gate/)
    await page.locator('#logs a[href*="line=1"]').first().click()
    await page.waitForURL(/line=1/)
    const link = page.url()
    await page.goto(site)
    await page.goto(link)
    await see(page.locator('#logs [aria-current="true"]', { hasText: /\S/ }))
  })

  it('keeps sorting and filters in the address', async () => {
    await page.goto(`${site}/?q=nop`)
    await see(rowOf('nop'))
    expect(await rowOf('reference').count()).toBe(0)
    await page.getByRole('searchbox').fill('reference')
    await see(rowOf('reference'))
    await page.waitForURL(/q=reference/)
  })
})

describe('what is not there', () => {
  it('names the nearest', async () => {
    const response = await page.goto(`${site}/agents/refrence`)
    expect(response?.status()).toBe(404)
    await see(page.getByRole('link', { name: 'reference', exact: true }))
    complaints.length = 0
  })

  it('names the run of a link that lost its end, or that has the end of a sentence', async () => {
    const runId = (await boardFilled(site)).get('nop')?.runIds.at(-1) ?? ''
    for (const path of [`/runs/${runId.slice(0, -2)}`, `/runs/${runId}).`]) {
      expect((await page.goto(`${site}${path}`))?.status()).toBe(404)
      await see(page.getByRole('link', { name: runId, exact: true }))
    }
    complaints.length = 0
  })

  it.each(['/runs/run_nowhere', '/episodes/ep_nowhere', '/nowhere', '/agents/%E0%A4%A'])(
    '%s says so',
    async (path) => {
      const response = await page.goto(`${site}${path}`)
      expect(response?.status()).toBe(404)
      await see(page.getByRole('heading', { level: 1 }))
      complaints.length = 0
    },
  )
})

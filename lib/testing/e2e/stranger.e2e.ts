// @module-tag chromium
import { buffer } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { signInAs, untilHydrated } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { makeUser } from '#lib/testing/e2e/make-user.ts'

// Ten tasks of a first-time visitor, done by roles and names alone: what cannot be found that way, a visitor cannot
// find.

const site = inject('demoUrl')
let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await connectToChromium()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
})
afterAll(() => browser.close())

const main = () => page.getByRole('main')
const openBoard = async () => {
  await page.goto(`${site}/`)
  await page
    .getByRole('navigation', { name: 'Suite' })
    .getByRole('link', { name: /^Demo \(/ })
    .click()
  await page.getByRole('table', { name: /entries$/ }).waitFor()
  await untilHydrated(page)
}

describe('a first-time visitor', () => {
  it('1. finds the winner, and how sure that is', async () => {
    await openBoard()
    const best = page
      .getByRole('region', { name: /^Success rate/ })
      .getByRole('listitem')
      .first()
    expect(await best.textContent()).toMatch(/demo-agent-a.*88/)
    expect(await best.textContent()).toMatch(/\d+–\d+/)
  })

  it('2. sorts by cost, and by date behind it', async () => {
    const head = (name: string) => page.getByRole('columnheader', { name })
    await head('Cost / success').getByRole('link').click()
    await expect.poll(() => head('Cost / success').getAttribute('aria-sort')).toBe('ascending')
    await head('Date')
      .getByRole('link')
      .click({ modifiers: ['Shift'] })
    await page.waitForURL(/sort=cost\.asc,date\.desc/)
    await page.goBack()
  })

  it('3. keeps the entries of one model', async () => {
    await openBoard()
    await page.getByRole('button', { name: 'Filters' }).click()
    await page
      .getByRole('group', { name: 'Model' })
      .getByRole('checkbox', { name: /^model-s/ })
      .check()
    await page.waitForURL(/f=model:model-s/)
    const links = page
      .getByRole('table', { name: /entries$/ })
      .getByRole('link', { name: /^model-/ })
    await expect
      .poll(async () => new Set(await links.allTextContents()))
      .toEqual(new Set(['model-s']))
  })

  it('4. compares two entries', async () => {
    await openBoard()
    await page.getByRole('checkbox', { name: 'Select demo-agent-a for comparison' }).first().check()
    await page.getByRole('checkbox', { name: 'Select demo-agent-c for comparison' }).first().check()
    await page
      .getByRole('region', { name: 'Selected entries' })
      .getByRole('link', { name: 'Compare' })
      .click()
    await page
      .getByRole('heading', { level: 1, name: /demo-agent-a.* vs\. demo-agent-c/ })
      .waitFor()
  })

  it('5. sees which tasks differ', async () => {
    await main().getByRole('link', { name: 'Only differing' }).click()
    const rows = page.getByRole('table', { name: /^Tasks by entry/ }).getByRole('row')
    await expect.poll(() => rows.count()).toBeGreaterThan(1)
    for (const text of (await rows.allTextContents()).slice(1)) expect(text).toContain('solves it')
  })

  it('6. takes the table along as a file', async () => {
    await openBoard()
    await page.getByRole('button', { name: 'Export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    const text = String(await buffer(await (await download).createReadStream()))
    expect(text.split('\r\n')[0]).toContain('success_rate')
    expect(text).toContain('demo-agent-a')
  })

  it('7. finds out why an entry is not ranked', async () => {
    await openBoard()
    const rows = page.getByRole('rowgroup', { name: 'Unranked' }).getByRole('row')
    await rows
      .getByRole('button', { name: /reasons and details/ })
      .first()
      .click()
    await page.getByText('Why this entry is not ranked').waitFor()
  })

  it('8. finds out why an attempt failed', async () => {
    await page.goto(`${site}/runs`)
    await page
      .getByRole('table', { name: /^Runs/ })
      .getByRole('link', { name: /^demo-agent-c/ })
      .first()
      .click()
    const failed = page
      .getByRole('table', { name: 'Episodes by task and repetition' })
      .getByRole('link', { name: /unsolved|failed/ })
    await failed.first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText(/^unsolved · /).waitFor()
    await page.getByText(/tests? failed\.$/).waitFor()
  })

  it('9. plans a run, and reads what it would show', async () => {
    await page.getByRole('link', { name: /^Measure/ }).click()
    await page.getByRole('button', { name: 'Estimate' }).click()
    await page
      .getByText(/80 % power/)
      .first()
      .waitFor()
  })

  it('10. signs in and prepares three tasks to launch', async () => {
    await signInAs(page, site, await makeUser(inject('demoDir')), '/admin/launch?suite=typescript')
    await untilHydrated(page)
    expect(await page.getByRole('radio', { name: /reference/ }).isChecked()).toBe(true)
    await page.getByText(/^Pick tasks/).click()
    await page.getByRole('button', { name: 'Select the first tasks' }).click()
    expect(
      (await page.getByRole('textbox', { name: 'Task names' }).inputValue()).split(','),
    ).toHaveLength(3)
    await page.getByRole('button', { name: 'Estimate' }).click()
    await page.getByText(/^3 episodes \(3 tasks × 1\)/).waitFor()
    await page.getByRole('button', { name: 'Review plan' }).waitFor()
  })
})

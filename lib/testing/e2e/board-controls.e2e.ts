// @module-tag chromium
import { text } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { untilHydrated } from '#lib/testing/e2e/browser.ts'
import { connectToChromium, onPage } from '#lib/testing/e2e/looks.ts'

const site = inject('demoUrl')
let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
})
afterAll(() => browser.close())

const LOST = 'The server does not respond'
const rows = (page: Page) => page.locator('tr[data-row]')
/** Ids of the first rows of a board. */
const firstIds = (page: Page) =>
  rows(page).evaluateAll((all) => all.slice(0, 2).map((row) => row.getAttribute('data-row')))

it('a filter, a chart and a comparison wait for a server that is away, on the page', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto(`${site}/?suite=demo`)
    await page.goto(`${site}/?suite=demo&pick=${(await firstIds(page)).join()}`)
    await page.getByText('2 entries selected').waitFor()
    await untilHydrated(page)
    await page.evaluate(() => Object.assign(window, { opened: 'once' }))
    const sample = page.locator('figure[data-figure="success"] figcaption')
    const before = await sample.textContent()
    await context.setOffline(true)
    await page.getByRole('group', { name: 'Evidence' }).getByText('stress').click()
    await page.getByText(LOST).waitFor()
    expect(await rows(page).count()).toBe(1)
    expect(await sample.textContent()).toBe(before)
    await context.setOffline(false)
    await page.getByText(LOST).waitFor({ state: 'hidden' })
    await sample.getByText('1 entry').waitFor()
    await context.setOffline(true)
    await page.getByRole('navigation', { name: 'Chart' }).getByText('Failures').click()
    await page.getByText(LOST).waitFor()
    await page.getByRole('link', { name: 'Compare' }).last().click()
    await page.waitForTimeout(300)
    expect(await page.evaluate(() => Reflect.get(window, 'opened'))).toBe('once')
    await context.setOffline(false)
    await page.waitForURL('**/compare?rows=*')
  } finally {
    await context.close()
  }
})

it.each([
  ['Clear filters', 'q=no-such-entry', 'Search entries, versions and models'],
  ['Show controls', '', 'Type of entry'],
  ['Clear', 'pick', 'Select demo-agent-a for comparison'],
])('“%s” goes by its own press and hands the focus on', (name, query, label) =>
  onPage(browser, `${site}/?suite=demo`, async (page) => {
    const [first] = await firstIds(page)
    await page.goto(`${site}/?suite=demo&${query === 'pick' ? `pick=${first}` : query}`)
    await untilHydrated(page)
    const button = page.getByRole('button', { name, exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    await button.waitFor({ state: 'detached' })
    const focused = page.locator(':focus')
    expect(await focused.count()).toBe(1)
    expect(
      await page
        .getByLabel(label)
        .first()
        .evaluate((one) => one.matches(':focus')),
    ).toBe(true)
  }),
)

it('clears filters and hands the focus to their menu', () =>
  onPage(browser, `${site}/?suite=demo&f=model:model-s`, async (page) => {
    await untilHydrated(page)
    await page.getByRole('button', { name: 'Filters (1)' }).click()
    await page.getByRole('button', { name: 'Clear filters' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Filters', exact: true }).waitFor()
    expect(await page.locator(':focus').textContent()).toBe('Filters')
  }))

it('an entry has its colour in its history and in its details', () =>
  onPage(browser, `${site}/?suite=demo`, async (page) => {
    const [first] = await firstIds(page)
    await page.goto(`${site}/?suite=demo&open=${first}`)
    const chart = page.locator(`#details-${first} [data-drawn]`)
    await chart.scrollIntoViewIfNeeded()
    expect(await chart.locator('svg.recharts-surface').innerHTML()).toContain('var(--entry-')
    await page.goto(`${site}/history?suite=demo&subject=demo-agent-a&model=model-l`)
    const bars = page.getByRole('region', { name: 'Entries over time' }).locator('tbody svg.w-full')
    const looks = await bars.evaluateAll((all) => all.map((one) => one.getAttribute('class')))
    expect(looks.length).toBeGreaterThan(1)
    for (const look of looks) expect(look).toContain('text-entry-')
  }))

/** Width of an A4 page between Chromium's margins, in CSS pixels. */
const PAPER = 718

it.each(['/?suite=demo', '/reports/task-completion?suite=demo', '/runs'])(
  'a table of %s is printed as a table, and as wide as the paper',
  (path) =>
    onPage(
      browser,
      `${site}${path}`,
      async (page) => {
        await page.emulateMedia({ media: 'print' })
        const table = page.locator('main table').first()
        const looks = await table.evaluate((one) => ({
          shown: ['thead', 'tbody tr', 'tbody td:nth-child(2)'].map((part) => {
            const found = one.querySelector(part)
            return found && getComputedStyle(found).display
          }),
          right: one.getBoundingClientRect().right,
          page: document.documentElement.scrollWidth,
        }))
        await page.emulateMedia({ media: null })
        expect(looks.shown).toEqual(['table-header-group', 'table-row', 'table-cell'])
        expect(Math.max(looks.right, looks.page)).toBeLessThanOrEqual(PAPER)
      },
      { width: PAPER },
    ),
)

it('what scrolls on a screen is printed whole', async () => {
  const response = await fetch(
    `${site}/api/v1/episodes?suite=demo-browser&outcome=unsolved&limit=500`,
  )
  const { episodes } = await response.json()
  const { episodeId } = episodes.find((one: { repetition: number }) => one.repetition === 1)
  await onPage(
    browser,
    `${site}/episodes/${episodeId}?tab=steps`,
    async (page) => {
      await page.emulateMedia({ media: 'print' })
      const boxes = await page
        .locator('[data-scroll-box]')
        .evaluateAll((all) =>
          all.map((one) => [one.scrollWidth - one.clientWidth, getComputedStyle(one).overflowY]),
        )
      await page.emulateMedia({ media: null })
      expect(boxes.length).toBeGreaterThan(1)
      for (const [hidden, overflow] of boxes) {
        expect(hidden).toBeLessThanOrEqual(1)
        expect(overflow).toBe('visible')
      }
    },
    { width: PAPER },
  )
})

it.each([
  '/?suite=demo',
  '/compare',
  '/ledger',
  '/plan?suite=demo&repetitions=3',
  '/agents/demo-agent-a',
  '/agents/demo-library-x',
  '/reports/task-completion?suite=demo',
  '/suites/demo',
  '/suites/browser',
])('%s is no wider than a phone in letters of twice the size', (path) =>
  onPage(
    browser,
    `${site}${path}`,
    async (page) => {
      const widest = await page.evaluate(() => {
        document.documentElement.style.fontSize = '32px'
        return document.documentElement.scrollWidth
      })
      expect(widest).toBeLessThanOrEqual(360)
    },
    { width: 360 },
  ),
)

it('offers every entry as a baseline under a name of its own', () =>
  onPage(browser, `${site}/?suite=demo`, async (page) => {
    const options = page.getByLabel('Baseline').locator('option')
    await options.nth(5).waitFor({ state: 'attached' })
    const names = await options.allTextContents()
    expect(new Set(names).size).toBe(names.length)
    await page.setViewportSize({ width: 1024, height: 900 })
    await page.getByLabel('Baseline').selectOption({ index: 1 })
    await page.getByRole('columnheader', { name: /^vs\. baseline/ }).waitFor()
    const head = page.getByRole('columnheader', { name: /^Entry/ })
    const { x, width } = (await head.boundingBox()) ?? { x: 0, width: 0 }
    await expect.poll(() => page.locator('#entries').getAttribute('data-clips')).toBe('right')
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    const banner = await page
      .getByRole('banner')
      .evaluate((one) => one.scrollHeight - one.clientHeight)
    await page.setViewportSize({ width: 1280, height: 900 })
    expect(x + width).toBeLessThan(1024)
    expect(width).toBeGreaterThan(80)
    expect(widest).toBe(1024)
    expect(banner).toBe(0)
  }))

it('columns are resized by arrow keys, and another one is chosen by them', () =>
  onPage(browser, `${site}/suites/demo`, async (page) => {
    await untilHydrated(page)
    const handles = page.getByRole('table', { name: 'Tasks' }).getByRole('separator')
    const widthOf = async () => Number(await handles.nth(1).getAttribute('aria-valuenow'))
    await handles.first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect.poll(widthOf).toBeGreaterThan(56)
    const width = await widthOf()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(widthOf).toBe(width - 16)
    expect(await handles.nth(1).evaluate((one) => one === document.activeElement)).toBe(true)
    await page.evaluate(() => localStorage.clear())
  }))

it('exports the rows that are selected, with Shift a range of them', () =>
  onPage(browser, `${site}/suites/demo`, async (page) => {
    await untilHydrated(page)
    const boxes = page.getByRole('table', { name: 'Tasks' }).getByRole('checkbox')
    await boxes.nth(2).click()
    await boxes.nth(4).click({ modifiers: ['Shift'] })
    await page.getByRole('button', { name: 'Export (3)' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    const lines = (await text(await download.createReadStream())).trim().split('\r\n')
    expect(lines).toHaveLength(4)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: /^Export \(\d\d/ }).waitFor()
  }))

// @module-tag chromium
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { untilHydrated } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'

const site = inject('demoUrl')
let browser: Browser
let context: BrowserContext
let page: Page
beforeAll(async () => {
  browser = await connectToChromium()
  context = await browser.newContext({ hasTouch: true, viewport: { width: 360, height: 740 } })
  page = await context.newPage()
})
afterAll(async () => {
  await context.close()
  await browser.close()
})

/** Lists controls that the keyboard reaches but that are invisible, inside of a box of one pixel. */
const hiddenControls = () =>
  page.locator('main :is(a[href], button, input, select, summary)').evaluateAll((all) =>
    all.flatMap((one) => {
      if (!one.checkVisibility()) return []
      for (let box: Element | null = one; box; box = box.parentElement) {
        const { width, height } = box.getBoundingClientRect()
        const isCut = getComputedStyle(box).overflow === 'hidden' && Math.min(width, height) <= 1
        if (isCut) return [one.getAttribute('aria-label') ?? one.textContent]
      }
      return []
    }),
  )

describe('a table whose rows are cards', () => {
  it.each([
    '/?suite=demo',
    '/suites/demo',
    '/runs',
    '/ledger',
    '/agents/demo-agent-a',
    '/reports/task-completion?suite=demo',
  ])('%s has no control that only the keyboard finds', async (path) => {
    await page.goto(`${site}${path}`)
    expect(await hiddenControls()).toEqual([])
  })

  it('is sorted by its heads', async () => {
    await page.goto(`${site}/?suite=demo`)
    await untilHydrated(page)
    const head = page.getByRole('columnheader', { name: 'Cost / success' })
    await head.getByRole('link').tap()
    await page.waitForURL(/sort=cost\.asc/)
    await page.goBack()
    await page.waitForURL(/\?suite=demo$/)
  })
})

it.each(['Filters', 'Columns', 'Export'])('the menu %s is inside of the window', async (name) => {
  await page.goto(`${site}/?suite=demo`)
  await untilHydrated(page)
  const button = page.getByRole('button', { name, exact: true })
  await button.tap()
  expect(await button.getAttribute('aria-expanded')).toBe('true')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

it('a tap on a point shows its tooltip until the next, and a second one opens its row', async () => {
  await page.goto(`${site}/?suite=demo&chart=cost`)
  const chart = page.locator('#charts [data-chart]')
  await page.locator('#charts').scrollIntoViewIfNeeded()
  const mark = chart.locator('svg.recharts-surface circle').first()
  await mark.waitFor()
  const tap = async () => {
    await mark.scrollIntoViewIfNeeded()
    const box = await mark.boundingBox()
    if (!box) throw new Error('the point is not drawn')
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
  }
  await tap()
  await page.waitForTimeout(300)
  expect(await chart.locator('[data-tooltip]').textContent()).toMatch(/% solved .*n: \d+ episodes/)
  await tap()
  await expect.poll(() => page.locator('tr[data-row] :focus').count()).toBe(1)
})

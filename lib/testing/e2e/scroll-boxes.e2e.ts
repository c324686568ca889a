// @module-tag chromium
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { boardSchema } from '#lib/domain/board/index.ts'
import { readValue } from '#lib/testing/e2e/built-site.ts'
import { connectToChromium, onPage } from '#lib/testing/e2e/looks.ts'

const site = inject('demoUrl')
let browser: Browser
let episode = ''
let rows = ''
beforeAll(async () => {
  browser = await connectToChromium()
  const read = (sql: string) => readValue(join(inject('demoDir'), 'proofboard.db'), sql)
  const id = read(`SELECT episodeId FROM Episode WHERE suiteId = 'demo-browser' LIMIT 1`)
  episode = `/episodes/${id}`
  const board = await (await fetch(`${site}/api/v1/leaderboard?suite=demo`)).json()
  rows = boardSchema
    .parse(board)
    .rows.slice(0, 2)
    .map(({ rowId }) => rowId)
    .join()
})
afterAll(() => browser.close())

/** Scroll containers with hidden content and no visible hint. */
const silentBoxes = (page: Page) =>
  page.locator('main *').evaluateAll((all) =>
    all.flatMap((one) => {
      if (!(one instanceof HTMLElement) || !one.checkVisibility()) return []
      const { overflowX, overflowY } = getComputedStyle(one)
      const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll'
      const hides =
        (scrolls(overflowY) && one.scrollHeight > one.clientHeight + 1) ||
        (scrolls(overflowX) && one.scrollWidth > one.clientWidth + 1)
      return hides && !one.dataset.clips ? [`${one.tagName} ${one.className}`] : []
    }),
  )

/** Texts for screen readers that are positioned outside of their element. */
const strayWords = (page: Page) =>
  page.locator('main .sr-only').evaluateAll((all) =>
    all.flatMap((one) => {
      const { parentElement: parent } = one
      const isFree = getComputedStyle(one).position === 'absolute'
      if (!isFree || !parent || getComputedStyle(parent).position !== 'static') return []
      return [`${parent.tagName}: ${one.textContent}`]
    }),
  )

const PATHS = [
  '/?suite=demo',
  '/suites/demo',
  '/runs',
  '/compare',
  'compared',
  '/agents/demo-agent-a',
  '/reports/task-completion?suite=demo',
  '/history?suite=demo&subject=demo-agent-a',
  '/ledger',
  '/audit',
  'episode',
  'steps',
]

describe.each([1280, 360])('at %d px', (width) => {
  it.each(PATHS)('%s: what scrolls says so, and no hidden word strays', (path) => {
    const address = {
      compared: `/compare?rows=${rows}`,
      episode,
      steps: `${episode}?tab=steps`,
    }[path]
    const look = async (page: Page) => {
      await expect.poll(() => silentBoxes(page)).toEqual([])
      expect(await strayWords(page)).toEqual([])
    }
    return onPage(browser, `${site}${address ?? path}`, look, { width })
  })
})

it('a box says that it goes on until its end is in view', () =>
  onPage(browser, `${site}/compare?rows=${rows}`, async (page) => {
    const box = page.getByRole('region', { name: 'Tasks by entry' })
    await page.setViewportSize({ width: 360, height: 740 })
    await expect.poll(() => box.getAttribute('data-clips')).toContain('below')
    await box.evaluate((one) => one.scrollTo(one.scrollWidth, one.scrollHeight))
    await expect.poll(() => box.getAttribute('data-clips')).not.toContain('below')
    await page.setViewportSize({ width: 1280, height: 900 })
  }))

// @module-tag chromium
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'

const site = inject('demoUrl')
let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
})
afterAll(() => browser.close())

/** True if an element is completely visible without scrolling. */
async function isOnScreen(what: Locator): Promise<boolean> {
  const [box, size] = [await what.boundingBox(), what.page().viewportSize()]
  if (box === null || size === null) return false
  return (
    box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height
  )
}

/** Questions that the first screen must answer, and where the answers are. */
const QUESTIONS: [string, (page: Page) => Locator][] = [
  ['what it is', (page) => page.getByRole('heading', { level: 1 })],
  ['who wins', (page) => bestEntry(page).getByRole('link', { name: 'demo-agent-a' })],
  ['how often', (page) => bestEntry(page).getByText(/^\d+$/)],
  ['how sure', (page) => bestEntry(page).getByText(/^\d+–\d+$/)],
  ['where to check it', (page) => page.getByRole('link', { name: /^[\d,]+ scored episodes$/ })],
  ['how to read it', (page) => page.getByRole('link', { name: 'How to read this' })],
  ['where it comes from', (page) => page.getByRole('link', { name: /^Demo \(simulated\)/ })],
  ['what to do', (page) => page.getByRole('link', { name: 'Measure an agent' })],
]

function bestEntry(page: Page): Locator {
  return page
    .getByRole('region', { name: /^Success rate/ })
    .getByRole('listitem')
    .first()
}

describe.each([
  ['wide', { width: 1440, height: 900 }],
  ['phone', { width: 360, height: 740 }],
] as const)('the first screen of the board, %s', (_, viewport) => {
  it.each(['with scripts', 'without scripts'])('answers every question %s', async (how) => {
    const javaScriptEnabled = how === 'with scripts'
    const context = await browser.newContext({ viewport, javaScriptEnabled })
    try {
      const page = await context.newPage()
      await page.goto(`${site}/?suite=demo`)
      const answered: string[] = []
      for (const [question, find] of QUESTIONS)
        if (await isOnScreen(find(page))) answered.push(question)
      expect(answered).toEqual(QUESTIONS.map(([question]) => question))
    } finally {
      await context.close()
    }
  })
})

// @module-tag chromium
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { boardSchema } from '#lib/domain/board/index.ts'
import { CHART_GOAL, measureFirstLoad, PAGE_CLASSES } from '#lib/testing/bench/first-load.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'

const site = inject('demoUrl')

let browser: Browser
let rowIds: string[] = []

beforeAll(async () => {
  browser = await connectToChromium()
  const response = await fetch(`${site}/api/v1/leaderboard?suite=demo`)
  rowIds = boardSchema.parse(await response.json()).rows.map(({ rowId }) => rowId)
})
afterAll(() => browser.close())

it.each(PAGE_CLASSES)('loads $name with at most $goal bytes of JavaScript', async (page) => {
  const { bytes, chartBytes, scripts } = await measureFirstLoad(
    browser,
    `${site}${page.path(rowIds)}`,
  )
  expect(scripts.length).toBeGreaterThan(0)
  const files = scripts.map(({ path, bytes: size }) => `${size} ${path}`).join('\n')
  expect(bytes, files).toBeLessThanOrEqual(page.goal)
  expect(chartBytes, files).toBeLessThanOrEqual(CHART_GOAL)
})

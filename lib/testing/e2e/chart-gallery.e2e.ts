// @module-tag chromium
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { GALLERY_COUNTS, galleryCharts } from '#lib/testing/cases/chart-gallery.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'

const site = inject('demoUrl')
let browser: Browser
let script: string

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: ['lib/testing/cases/chart-gallery-page.tsx'],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  script = outputFiles[0]?.text ?? ''
  browser = await connectToChromium()
})
afterAll(() => browser.close())

/** Draws the gallery into a page with the style sheet of the site. */
async function openGallery(width: number, colorScheme: 'light' | 'dark') {
  const viewport = { width, height: 900 }
  const page = await browser.newPage({ viewport, colorScheme, bypassCSP: true })
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await page.goto(`${site}/methodology`)
  await page.addScriptTag({ content: script })
  await page.locator('[data-gallery="phases-120"] svg.recharts-surface').waitFor()
  return { page, problems }
}

const expected = GALLERY_COUNTS.flatMap((count) =>
  galleryCharts(count).flatMap(({ name, chart }) => (chart ? `${name}-${count}` : [])),
)

describe.each([
  [1280, 'light'],
  [360, 'dark'],
] as const)('the gallery of charts at %d px, %s', (width, scheme) => {
  let page: Page
  let problems: string[]
  beforeAll(async () => {
    const opened = await openGallery(width, scheme)
    page = opened.page
    problems = opened.problems
  })
  afterAll(() => page.close())

  it('draws every chart of 0 to 120 entries, and runs no name', async () => {
    const drawn = await page
      .locator('[data-gallery]:has(svg.recharts-surface)')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-gallery')))
    expect(drawn).toEqual(expected)
    expect(problems).toEqual([])
    expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
    expect(await page.locator('main script, main img').count()).toBe(0)
  })

  it('has finite places only, and nothing wider than the window', async () => {
    const markup = await page.locator('main').innerHTML()
    expect(markup).not.toMatch(/="[^"]*(?:NaN|Infinity|undefined)[^"]*"/)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    )
  })

  it('has no names that cover each other', async () => {
    const covered = await page.locator('[data-gallery^="cost"]').evaluateAll(
      (charts) =>
        charts.flatMap((chart) => {
          const boxes = [...chart.querySelectorAll('text[paint-order="stroke"]')].map((one) =>
            one.getBoundingClientRect(),
          )
          return boxes.filter((a, at) =>
            boxes
              .slice(at + 1)
              .some(
                (b) =>
                  a.left < b.right - 2 &&
                  b.left < a.right - 2 &&
                  a.top < b.bottom - 2 &&
                  b.top < a.bottom - 2,
              ),
          )
        }).length,
    )
    expect(covered).toBe(0)
  })
})

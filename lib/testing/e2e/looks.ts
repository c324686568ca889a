import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { listAxeViolations } from './browser.ts'

/** The Chromium that all browser tests share: a test file closes its windows, not the program. */
export function connectToChromium(): Promise<Browser> {
  return chromium.connect(inject('browserUrl'))
}

/** The windows of a browser. */
const windows = new WeakMap<Browser, Map<string, Promise<BrowserContext>>>()

/** `session`: cookies of a signed-in reader; absent = none. */
type Window = {
  width?: number
  colorScheme?: 'light' | 'dark'
  session?: Awaited<ReturnType<BrowserContext['storageState']>> | undefined
}

/**
 * Opens a page that is only looked at. Pages of one browser share a window for each width and scheme, as a reader's do:
 * the scripts that one of them loaded are not loaded and compiled again.
 */
export async function onPage<T>(
  browser: Browser,
  url: string,
  look: (page: Page) => Promise<T>,
  { width = 1280, colorScheme = 'light', session }: Window = {},
): Promise<T> {
  const open = windows.get(browser) ?? new Map<string, Promise<BrowserContext>>()
  windows.set(browser, open)
  const key = `${width} ${colorScheme} ${JSON.stringify(session)}`
  const options = { viewport: { width, height: 900 }, colorScheme }
  const context =
    open.get(key) ?? browser.newContext(session ? { ...options, storageState: session } : options)
  open.set(key, context)
  const page = await (await context).newPage()
  try {
    await page.goto(url, { waitUntil: 'load' })
    return await look(page)
  } finally {
    await page.close()
  }
}

/** What a page that anybody reads must be in every window: clean to axe, and no wider than it. */
export async function expectReadable(page: Page, width: number): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  expect(await listAxeViolations(page)).toEqual([])
  const widest = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(widest).toBeLessThanOrEqual(width)
}

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { listAxeViolations } from './browser.ts'

/** The Chromium that all browser tests share: a test file closes its windows, not the program. */
export function connectToChromium(): Promise<Browser> {
  return chromium.connect(inject('browserUrl'))
}

/** The windows of a browser, each with one page. */
const windows = new WeakMap<Browser, Map<string, Promise<Page>>>()

/** `session`: cookies of a signed-in reader; absent = none. */
type Window = {
  width?: number
  colorScheme?: 'light' | 'dark'
  session?: Awaited<ReturnType<BrowserContext['storageState']>> | undefined
}

/**
 * Opens an address that is only looked at, in the one page of its window, one address after another: a page of its own
 * for each is a new process, which loads and compiles the same scripts again.
 */
export async function onPage<T>(
  browser: Browser,
  url: string,
  look: (page: Page) => Promise<T>,
  { width = 1280, colorScheme = 'light', session }: Window = {},
): Promise<T> {
  const open = windows.get(browser) ?? new Map<string, Promise<Page>>()
  windows.set(browser, open)
  const key = `${width} ${colorScheme} ${JSON.stringify(session)}`
  const options = { viewport: { width, height: 900 }, colorScheme }
  const opened =
    open.get(key) ?? browser.newPage(session ? { ...options, storageState: session } : options)
  open.set(key, opened)
  const page = await opened
  await page.goto(url, { waitUntil: 'load' })
  return look(page)
}

/** What a page that anybody reads must be in every window: clean to axe, and no wider than it. */
export async function expectReadable(page: Page, width: number): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  expect(await listAxeViolations(page)).toEqual([])
  const widest = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(widest).toBeLessThanOrEqual(width)
}

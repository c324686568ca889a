import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { listAxeViolations } from './browser.ts'

/** Connects to the Chromium that all browser tests share: a test file closes its windows, not the browser. */
export function connectToChromium(): Promise<Browser> {
  return chromium.connect(inject('browserUrl'))
}

/** Windows of a browser, each with one page. */
const windows = new WeakMap<Browser, Map<string, Promise<Page>>>()

/** `session`: cookies of a signed-in user; absent = none. */
type Window = {
  width?: number
  colorScheme?: 'light' | 'dark'
  session?: Awaited<ReturnType<BrowserContext['storageState']>> | undefined
}

/**
 * Opens an address, for reading only, in the one page of its window. A new page each time would be a new process that
 * loads and compiles the same scripts again.
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

/** Expects that a page has no violation of axe and is not wider than its window. */
export async function expectReadable(page: Page, width: number): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  expect(await listAxeViolations(page)).toEqual([])
  const widest = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(widest).toBeLessThanOrEqual(width)
}

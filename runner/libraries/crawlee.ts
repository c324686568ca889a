import type { Browser, BrowserContext, Page } from 'playwright-core'
import { z } from 'zod'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { attach } from './installed-package.ts'
import type { LibraryAdapter, OptionalPackage, Session } from './library-adapter.ts'
import { loadOptional, optionalParts } from './optional-package.ts'
import { PlaywrightActions, type PlaywrightConnection } from './playwright.ts'

const PACKAGE: OptionalPackage = {
  library: 'crawlee',
  name: '@crawlee/browser-pool',
  version: '3.18.1',
}

/** Crawlee's browser pool, whose pages are Playwright's: by role and name. */
export const crawlee: LibraryAdapter = {
  name: 'crawlee',
  title: 'Crawlee',
  ...optionalParts(PACKAGE),
  adapterVersion: 1,
  targeting: 'role',
  connect: (session) => attach(new PlaywrightActions(session, takePage)),
}

/** The part of its API that is used here, from its documentation and the types of that version. */
type Pool = { newPage: () => Promise<Page>; destroy: () => Promise<void> }
const moduleSchema = z.object({
  BrowserPool: z.custom<new (options: object) => Pool>((value) => typeof value === 'function'),
  PlaywrightPlugin: z.custom<new (library: object) => object>(
    (value) => typeof value === 'function',
  ),
})

/** Opens a page in the pool, whose launcher attaches to the browser of the harness instead of starting one. */
async function takePage({ endpoint }: Session): Promise<PlaywrightConnection> {
  const { BrowserPool, PlaywrightPlugin } = moduleSchema.parse(
    await loadOptional(PACKAGE, RUNNER_ENV),
  )
  const { chromium } = await import('playwright-core')
  const browser = await chromium.connectOverCDP(endpoint, { noDefaults: true })
  const context = firstContext(browser)
  const launcher = {
    name: () => chromium.name(),
    launchPersistentContext: async () => context,
    // A browser that the pool starts only to ask for its version.
    launch: async () => ({ version: () => browser.version(), close: async () => {} }),
  }
  const pool = new BrowserPool({
    browserPlugins: [new PlaywrightPlugin(launcher)],
    useFingerprints: false,
  })
  const before = context.pages()
  const page = await pool.newPage()
  for (const other of before) await other.close()
  browser.once('disconnected', () => void pool.destroy().catch(() => {}))
  return { browser, context, page }
}

function firstContext(browser: Browser): BrowserContext {
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('the browser has no context')
  return context
}

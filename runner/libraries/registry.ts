import { agentBrowser } from './agent-browser.ts'
import { cdp } from './cdp.ts'
import { chromeDevtoolsMcp } from './chrome-devtools-mcp.ts'
import type { LibraryAdapter } from './library-adapter.ts'
import { openchrome } from './openchrome.ts'
import { playwright } from './playwright.ts'
import { playwrightMcp } from './playwright-mcp.ts'
import { puppeteer } from './puppeteer.ts'
import { selenium } from './selenium.ts'
import { webdriverio } from './webdriverio.ts'

/** Every browser library that can be measured. No package is loaded before `connect`. */
export const LIBRARIES: readonly LibraryAdapter[] = [
  playwright,
  puppeteer,
  selenium,
  webdriverio,
  playwrightMcp,
  chromeDevtoolsMcp,
  openchrome,
  agentBrowser,
  cdp,
]

/** Null when no library has this name. */
export function findLibrary(name: string): LibraryAdapter | null {
  return LIBRARIES.find((one) => one.name === name) ?? null
}

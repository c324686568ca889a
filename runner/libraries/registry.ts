import { agentBrowser } from './agent-browser.ts'
import { browserUse } from './browser-use.ts'
import { cdp } from './cdp.ts'
import { chromeDevtoolsMcp } from './chrome-devtools-mcp.ts'
import { computerUse } from './computer-use.ts'
import { crawlee } from './crawlee.ts'
import type { LibraryAdapter } from './library-adapter.ts'
import { magnitude } from './magnitude.ts'
import type { McpDefinition } from './mcp/mcp-definition.ts'
import { mcpLibrary } from './mcp/mcp-library.ts'
import { openchrome } from './openchrome.ts'
import { playwright } from './playwright.ts'
import { playwrightMcp } from './playwright-mcp.ts'
import { puppeteer } from './puppeteer.ts'
import { selenium } from './selenium.ts'
import { stagehand } from './stagehand.ts'
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
  computerUse,
  stagehand,
  magnitude,
  crawlee,
  browserUse,
]

/** Null if no library has this name. */
export function findLibrary(name: string): LibraryAdapter | null {
  return LIBRARIES.find((one) => one.name === name) ?? null
}

/** Resolves the library that a request names, from its own file if it has one. */
export function resolveLibrary(request: {
  library: string
  definition?: McpDefinition | undefined
}): LibraryAdapter | null {
  return request.definition ? mcpLibrary(request.definition) : findLibrary(request.library)
}

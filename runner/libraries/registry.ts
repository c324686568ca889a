import { agentBrowser } from './agent-browser.ts'
import { chromeDevtoolsMcp } from './chrome-devtools-mcp.ts'
import type { LibraryAdapter } from './library-adapter.ts'
import { playwright } from './playwright.ts'
import { playwrightMcp } from './playwright-mcp.ts'

/** Every browser library that can be measured. No package is loaded before `connect`. */
export const LIBRARIES: readonly LibraryAdapter[] = [
  playwright,
  playwrightMcp,
  chromeDevtoolsMcp,
  agentBrowser,
]

/** Null when no library has this name. */
export function findLibrary(name: string): LibraryAdapter | null {
  return LIBRARIES.find((one) => one.name === name) ?? null
}

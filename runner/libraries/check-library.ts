import { rm } from 'node:fs/promises'
import type { BrowserLease } from '../browser/browser-pool.ts'
import { startBrowserPool } from '../browser/start-browser-pool.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { makeScratch } from '../scratch.ts'
import { countToolTokens } from './describe-tools.ts'
import { plainMessage } from './host-protocol.ts'
import { fetchPackages } from './installed-package.ts'
import type { LibraryAdapter, Session } from './library-adapter.ts'

const ACTION_MS = 8000

/** Checks that a library starts here and reaches a browser; `tools` = of an MCP server, as listed to a model. */
export type LibraryCheck = {
  problem: string | null
  tools: { count: number; tokens: number | null; names: string[] } | null
  /** Its last lines on stderr. */
  lines: string[]
}

/**
 * Starts a library with a browser of ours, without a sandbox, and disconnects. Never throws for the library's errors,
 * but a RunnerError if its package cannot be fetched.
 */
export async function checkLibrary(adapter: LibraryAdapter): Promise<LibraryCheck> {
  if (adapter.package !== null) await fetchPackages([adapter.package])
  const temporary = await makeScratch('pb-check')
  const ending = new AbortController()
  const lines: string[] = []
  const pool = await startBrowserPool({
    env: RUNNER_ENV,
    temporary,
    runMark: `check-${process.pid}`,
  })
  let lease: BrowserLease | null = null
  try {
    lease = await pool.lease({ reuse: 'cold', webdriver: adapter.webdriver })
    await lease.prepare(temporary)
    const { endpoint, webdriverPort } = lease
    const session: Session = {
      endpoint,
      webdriverPort,
      actionTimeoutMs: ACTION_MS,
      folder: temporary,
      signal: ending.signal,
      log: (line) => lines.splice(0, Math.max(0, lines.push(line) - 20)),
      countResult: () => {},
    }
    return { problem: null, tools: await open(adapter, session), lines }
  } catch (error) {
    return { problem: plainMessage(error), tools: null, lines }
  } finally {
    ending.abort()
    await lease?.release().catch(() => {}) // the browser is ended in any case
    await pool.close()
    await rm(temporary, { recursive: true, force: true })
  }
}

async function open(adapter: LibraryAdapter, session: Session): Promise<LibraryCheck['tools']> {
  if (!adapter.modelOnly) {
    const actions = await adapter.connect(session)
    await actions.url().finally(() => actions.dispose())
  }
  const server = await adapter.openTools?.(session)
  if (!server) return null
  try {
    const names = server.tools.map(({ name }) => name)
    const tokens = await countToolTokens([JSON.stringify(server.tools)])
    return { count: names.length, tokens, names }
  } finally {
    await server.close()
  }
}

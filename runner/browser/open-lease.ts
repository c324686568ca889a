import type { BrowserLease } from './browser-house.ts'
import { startDebugProxy } from './debug-proxy.ts'
import { closeTab, crashRenderer, openDialog } from './inject-faults.ts'
import type { OwnedBrowser } from './launch-chromium.ts'
import { prepareBrowser } from './prepare-browser.ts'
import { readPage } from './read-page.ts'
import { resetBrowser } from './reset-browser.ts'
import { watchProcesses } from './watch-processes.ts'

export type LeaseTerms = {
  version: string
  reuse: BrowserLease['reuse']
  driver: { port: number; stop: () => Promise<void> } | null
  /** Where the debugging port is to be a socket, for a library without a network; null = on the loopback. */
  socketPath: string | null
  chromedriver: string | null
  /** Takes the browser back, for the next lease. */
  keep: () => void
  /** Ends it for good. */
  discard: () => Promise<void>
}

/** Gives a browser to one episode. */
export async function openLease(browser: OwnedBrowser, terms: LeaseTerms): Promise<BrowserLease> {
  const { connection, port, service } = browser
  const { socketPath } = terms
  const proxy = await startDebugProxy(port, socketPath)
  const origins = new Set<string>()
  let downloads: string | null = null
  let ending: ReturnType<BrowserLease['release']> | null = null
  /** Every origin that was spoken of has to be empty at the end. */
  const on = <Answer>(act: (origin: string) => Promise<Answer>) => {
    return (origin: string) => {
      origins.add(origin)
      return act(origin)
    }
  }
  const release = async () => {
    // First nobody may come in any more.
    await Promise.all([proxy.close(), terms.driver?.stop()])
    if (terms.reuse === 'reused') {
      const isEmpty = await resetBrowser(connection, origins).then(
        () => true,
        () => false,
      )
      if (isEmpty) {
        terms.keep()
        return 'verified' as const
      }
    }
    await terms.discard()
    return 'thrown-away' as const
  }
  const reachOf = (path: string) => ({
    browser: { port: proxy.port, socketPath: path },
    chromedriver: terms.chromedriver,
  })
  return {
    version: terms.version,
    rootPid: service.pid,
    endpoint: `http://127.0.0.1:${proxy.port}`,
    webdriverPort: terms.driver?.port ?? null,
    reach: socketPath === null ? null : reachOf(socketPath),
    reuse: terms.reuse,
    prepare: async (folder) => {
      downloads = folder
      await prepareBrowser(connection, folder)
    },
    read: on((origin) => readPage({ connection, port, downloads }, origin)),
    crashRenderer: on((origin) => crashRenderer(browser, origin)),
    closeTab: on((origin) => closeTab(browser, origin)),
    openDialog: on((origin) => openDialog(browser, origin)),
    dropConnections: async () => {
      const dropped = proxy.drop()
      return dropped === 0 ? null : `${dropped} debugging connections were broken`
    },
    hasEnded: () => !connection.isOpen,
    watch: (marker) => watchProcesses(service.marker, marker),
    release: () => {
      ending ??= release()
      return ending
    },
  }
}

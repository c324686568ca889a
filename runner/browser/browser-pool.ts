import type { BrowserRecord } from '#lib/domain/record/index.ts'
import type { LibrarySockets } from '../libraries/host-protocol.ts'
import type { PageReader } from '../verify/browser/page-reader.ts'
import type { Watch } from './watch-processes.ts'

/** A browser leased to one episode. */
export type BrowserLease = {
  /** `Chromium 156.0.8078.79`. */
  version: string
  /** Its first process, the ancestor of all others. */
  rootPid: number | null
  /** The debugging port for the library: behind a proxy whose connections can be dropped. */
  endpoint: string
  webdriverPort: number | null
  /** For a library without network: the debugging port as a socket, and the chromedriver to start with it. */
  reach: LibrarySockets | null
  reuse: BrowserRecord['reuse']
  /** Opens the one page that the library will find, on `about:blank`, with downloads to `folder`. */
  prepare: (folder: string) => Promise<void>
  /** Opens the harness's own connection, to read the final state; `close` ends it. */
  read: (origin: string) => Promise<PageReader & { close: () => Promise<void> }>
  /** A small screenshot of the page while the library works with it; null = none. */
  film: (origin: string) => Promise<Buffer | null>
  /** Injectors of faults that apps cannot cause; each returns the evidence that it fired, or null. */
  crashRenderer: (origin: string) => Promise<string | null>
  closeTab: (origin: string) => Promise<string | null>
  openDialog: (origin: string) => Promise<string | null>
  dropConnections: () => Promise<string | null>
  /** Returns whether the browser has ended: only its driver, or a crash, ends a leased one. */
  hasEnded: () => boolean
  /** Starts watching the process trees of the browser and of the library (by its marker); `stop` returns the result. */
  watch: (marker: string) => Watch
  /** Resets the browser and verifies that it is empty; discards it if it is not, or hangs. Ends the lease. */
  release: () => Promise<NonNullable<BrowserRecord['reset']>>
}

/** The browsers of one run; as many as concurrent episodes. */
export type BrowserPool = {
  lease: (options: {
    reuse: BrowserRecord['reuse']
    webdriver: boolean
    /** True if the library has no network; then nothing listens on the machine's loopback for it. */
    sandboxed?: boolean
  }) => Promise<BrowserLease>
  close: () => Promise<void>
}

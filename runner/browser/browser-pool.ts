import type { BrowserRecord } from '#lib/domain/record/index.ts'
import type { LibrarySockets } from '../libraries/host-protocol.ts'
import type { PageReader } from '../verify/browser/page-reader.ts'
import type { Watch } from './watch-processes.ts'

/** A browser that one episode has to itself. */
export type BrowserLease = {
  /** `Chromium 156.0.8078.79`. */
  version: string
  /** Its first process, from which all its others descend. */
  rootPid: number | null
  /** The debugging port as the library is given it: behind a proxy whose connections can be dropped. */
  endpoint: string
  webdriverPort: number | null
  /** For a library that has no network: the debugging port as a socket; the chromedriver to start with it. */
  reach: LibrarySockets | null
  reuse: BrowserRecord['reuse']
  /** Opens the one page that the library will find, on `about:blank`, downloads going to `folder`. */
  prepare: (folder: string) => Promise<void>
  /** The harness's own connection, to read the final state; it is closed again by `close`. */
  read: (origin: string) => Promise<PageReader & { close: () => Promise<void> }>
  /** A small screenshot of the page while the library works with it; null = none. */
  film: (origin: string) => Promise<Buffer | null>
  /** Injectors of the faults that no app can make; each answers what shows that it fired, or null. */
  crashRenderer: (origin: string) => Promise<string | null>
  closeTab: (origin: string) => Promise<string | null>
  openDialog: (origin: string) => Promise<string | null>
  dropConnections: () => Promise<string | null>
  /** Whether the browser has ended: only its driver, or a crash, ends one that is leased. */
  hasEnded: () => boolean
  /** Begins to look at the browser's process tree and the library's (by its marker); `stop` answers what was seen. */
  watch: (marker: string) => Watch
  /** Empties it and looks whether it is empty; one that is not, or hangs, is thrown away. Ends the lease. */
  release: () => Promise<NonNullable<BrowserRecord['reset']>>
}

/** The browsers of one run; as many as there are hands. */
export type BrowserPool = {
  lease: (options: {
    reuse: BrowserRecord['reuse']
    webdriver: boolean
    /** Whether the library has no network: nothing then listens on the machine's loopback for it. */
    sandboxed?: boolean
  }) => Promise<BrowserLease>
  close: () => Promise<void>
}

import type { BrowserRecord } from '../browser/browser-record.ts'
import type { EpisodeBody } from '../episode.ts'

/** What rows and reports need of a browser episode beside the facts that every episode has. */
export type BrowserFact = Pick<
  BrowserRecord,
  'driven' | 'reuse' | 'connectMs' | 'harnessMs' | 'resultBytes' | 'resultTokens' | 'recovery'
> & {
  /** The library's own part ended with an error, whatever the contract says. */
  libraryError: boolean
  peakPssBytes: number | null
  libraryPeakPssBytes: number | null
}

/** Reads the browser's part out of an envelope; undefined = no browser was part of it. */
export function browserFact({ browser }: Pick<EpisodeBody, 'browser'>): BrowserFact | undefined {
  if (!browser) return undefined
  const { driven, reuse, connectMs, harnessMs, resultBytes, resultTokens, recovery } = browser
  return {
    driven,
    reuse,
    connectMs,
    harnessMs,
    resultBytes,
    resultTokens,
    recovery,
    libraryError: browser.libraryError !== null,
    peakPssBytes: browser.processes.peakPssBytes,
    libraryPeakPssBytes: browser.processes.libraryPeakPssBytes,
  }
}

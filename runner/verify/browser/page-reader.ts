import type { SeenRequest } from '../../apps/app-pool.ts'

/**
 * Reads the final page through the harness's own connection. Every member returns null if the value is unknown (the
 * page crashed, or does not respond): unknown makes an assertion inconclusive.
 */
export type PageReader = {
  /** Empty = no page of the app is open. */
  url: () => Promise<string | null>
  /** Texts of the elements, white space collapsed; values of fields. Visible ones only. */
  texts: (css: string) => Promise<string[] | null>
  attributes: (css: string, name: string) => Promise<(string | null)[] | null>
  storage: (
    area: 'local' | 'session' | 'cookie',
    key: string,
  ) => Promise<{ value: string | null } | null>
  /** Returns whether a JavaScript dialog is open now. */
  hasDialog: () => Promise<boolean | null>
  /** Lists downloaded files, complete ones only. */
  downloads: () => Promise<{ name: string; digest: string }[] | null>
  /** PNG of the visible part. */
  screenshot: () => Promise<Buffer | null>
}

/** Input of a workflow's contract; `state` and `requests` come from the app's server, null = unknown. */
export type FinalState = {
  origin: string
  state: unknown
  requests: readonly SeenRequest[] | null
  page: PageReader
}

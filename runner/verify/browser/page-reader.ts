import type { SeenRequest } from '../../apps/app-pool.ts'

/**
 * The final page as the harness reads it through its own connection. Every member answers null when it cannot be known
 * (the page crashed, does not answer): unknown makes an assertion inconclusive.
 */
export type PageReader = {
  /** Empty = no page of the app is open. */
  url: () => Promise<string | null>
  /** Texts of the elements, white space collapsed; of fields their values. Visible ones only. */
  texts: (css: string) => Promise<string[] | null>
  attributes: (css: string, name: string) => Promise<(string | null)[] | null>
  storage: (
    area: 'local' | 'session' | 'cookie',
    key: string,
  ) => Promise<{ value: string | null } | null>
  /** Whether a JavaScript dialog is open now. */
  hasDialog: () => Promise<boolean | null>
  /** Files that were downloaded, whole ones only. */
  downloads: () => Promise<{ name: string; digest: string }[] | null>
  /** PNG of what can be seen. */
  screenshot: () => Promise<Buffer | null>
}

/** Everything a workflow's contract is judged by; `state` and `requests` come from the app's server, null = unknown. */
export type FinalState = {
  origin: string
  state: unknown
  requests: readonly SeenRequest[] | null
  page: PageReader
}

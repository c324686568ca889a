import type { SeenRequest } from '../../apps/app-house.ts'
import type { PageReader } from './page-reader.ts'

/** Everything a workflow's contract is judged by; `state` and `requests` come from the app's server, null = unknown. */
export type FinalState = {
  origin: string
  state: unknown
  requests: readonly SeenRequest[] | null
  page: PageReader
}

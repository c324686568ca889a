import type { IncomingHttpHeaders } from 'node:http'

/** An answer as it arrives, from a provider or from a recording. `body` throws when the source breaks off. */
export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  body: AsyncIterable<Uint8Array>
  /** Lets go of the source; safe to call twice. */
  abort: () => void
}

import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as plainRequest,
} from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'

type UpstreamCall = {
  url: URL
  method: string
  headers: OutgoingHttpHeaders
  body: Uint8Array | null
  signal: AbortSignal
}

const STALE_WITHIN_MS = 1000

class StaleConnection extends Error {
  override message = 'the provider closed the connection'
}

/** Connections to providers, kept open between calls; `close` leaves no socket. */
export class UpstreamPool {
  readonly #plain = new Agent({ keepAlive: true, noDelay: true })
  readonly #tls = new TlsAgent({ keepAlive: true, noDelay: true })

  /**
   * Sends one request and answers when the head of the answer is there. Throws when the provider cannot be reached or
   * hangs up before that, or when `signal` ends. A kept connection that the provider had closed meanwhile is replaced once.
   */
  async call(request: UpstreamCall): Promise<UpstreamAnswer> {
    try {
      return await this.#send(request, 'kept')
    } catch (error) {
      if (!(error instanceof StaleConnection) || request.signal.aborted) throw error
      return await this.#send(request, 'new')
    }
  }

  close(): void {
    this.#plain.destroy()
    this.#tls.destroy()
  }

  #send(
    { url, method, headers, body, signal }: UpstreamCall,
    connection: 'kept' | 'new',
  ): Promise<UpstreamAnswer> {
    const isTls = url.protocol === 'https:'
    const send = isTls ? tlsRequest : plainRequest
    const agent = connection === 'new' ? false : isTls ? this.#tls : this.#plain
    const startMs = performance.now()
    return new Promise((resolve, reject) => {
      const request = send(url, { method, headers, agent, signal })
      request.once('response', (response) => resolve(asAnswer(request, response)))
      request.on('error', (error: NodeJS.ErrnoException) => {
        // Later than this the provider had begun to work: asking again would be paid twice.
        const isStale =
          request.reusedSocket &&
          error.code === 'ECONNRESET' &&
          performance.now() - startMs < STALE_WITHIN_MS
        reject(isStale ? new StaleConnection() : error)
      })
      request.end(body ?? undefined)
    })
  }
}

function asAnswer(request: ClientRequest, response: IncomingMessage): UpstreamAnswer {
  response.on('error', () => {}) // an abort before the first read must not end the process
  return {
    status: response.statusCode ?? 502,
    headers: response.headers,
    body: response,
    abort: () => request.destroy(),
  }
}

/** An answer as it arrives, from a provider or from a recording. `body` throws when the source breaks off. */
export type UpstreamAnswer = {
  status: number
  headers: IncomingHttpHeaders
  body: AsyncIterable<Uint8Array>
  /** Lets go of the source; safe to call twice. */
  abort: () => void
}

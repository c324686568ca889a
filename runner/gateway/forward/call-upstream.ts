import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as plainRequest,
} from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import type { Answer } from './answer.ts'

export type UpstreamCall = {
  url: URL
  method: string
  headers: OutgoingHttpHeaders
  body: Uint8Array | null
  signal: AbortSignal
}

/** Connections to providers, kept open between calls; `close` leaves no socket. */
export class UpstreamPool {
  readonly #plain = new Agent({ keepAlive: true, noDelay: true })
  readonly #tls = new TlsAgent({ keepAlive: true, noDelay: true })

  /**
   * Sends one request and answers when the head of the answer is there. Throws when the provider cannot be reached or
   * hangs up before that, or when `signal` ends. A kept connection that the provider had closed meanwhile is tried anew once.
   */
  async call(order: UpstreamCall): Promise<Answer> {
    try {
      return await this.#send(order)
    } catch (error) {
      if (!(error instanceof StaleConnection) || order.signal.aborted) throw error
      return await this.#send(order)
    }
  }

  close(): void {
    this.#plain.destroy()
    this.#tls.destroy()
  }

  #send({ url, method, headers, body, signal }: UpstreamCall): Promise<Answer> {
    const isTls = url.protocol === 'https:'
    const send = isTls ? tlsRequest : plainRequest
    const agent = isTls ? this.#tls : this.#plain
    return new Promise((resolve, reject) => {
      const request = send(url, { method, headers, agent, signal })
      request.once('response', (response) => resolve(asAnswer(request, response)))
      request.on('error', (error: NodeJS.ErrnoException) =>
        reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error),
      )
      request.end(body ?? undefined)
    })
  }
}

class StaleConnection extends Error {
  override message = 'the provider closed the connection'
}

function asAnswer(request: ClientRequest, response: IncomingMessage): Answer {
  response.on('error', () => {}) // an abort before anybody reads must not end the process
  return {
    status: response.statusCode ?? 502,
    headers: response.headers,
    body: response,
    abort: () => request.destroy(),
  }
}

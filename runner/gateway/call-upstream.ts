import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import {
  type Env,
  findProxy,
  type HttpProxy,
  proxyError,
  TunnelAgent,
} from '#lib/outgoing/proxy.ts'
import { openRequest } from '#lib/outgoing/request.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import type { UpstreamAnswer } from './http.ts'

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

/**
 * Connections to providers, through the proxies of the environment, kept open between calls; `close` leaves no socket.
 */
export class UpstreamPool {
  readonly #plain = new Agent({ keepAlive: true, noDelay: true })
  readonly #tls = new TlsAgent({ keepAlive: true, noDelay: true })
  readonly #tunnels = new Map<string, TunnelAgent>()
  readonly #agents = {
    plain: this.#plain,
    tls: this.#tls,
    tunnel: (proxy: HttpProxy) => {
      const known = this.#tunnels.get(proxy.url.href)
      const tunnel = known ?? new TunnelAgent(proxy, { keepAlive: true })
      this.#tunnels.set(proxy.url.href, tunnel)
      return tunnel
    },
  }
  readonly #own: Env

  constructor(env: Env = RUNNER_ENV) {
    this.#own = env
  }

  /**
   * Sends one request; resolves when the head of the response arrives. Throws if the provider is unreachable or closes
   * the connection before that, or if `signal` aborts. A reused connection that the provider had closed meanwhile is
   * replaced once.
   */
  async call(request: UpstreamCall): Promise<UpstreamAnswer> {
    try {
      return await this.#send(request, 'reused')
    } catch (error) {
      if (!(error instanceof StaleConnection) || request.signal.aborted) throw error
      return await this.#send(request, 'new')
    }
  }

  close(): void {
    this.#plain.destroy()
    this.#tls.destroy()
    for (const tunnel of this.#tunnels.values()) tunnel.destroy()
  }

  #send(
    { url, method, headers, body, signal }: UpstreamCall,
    connection: 'reused' | 'new',
  ): Promise<UpstreamAnswer> {
    const startMs = performance.now()
    return new Promise((resolve, reject) => {
      const proxy = findProxy(url, this.#own)
      const agents = connection === 'new' ? undefined : this.#agents
      const request = openRequest(url, { method, headers, signal }, { proxy, agents })
      request.once('response', (response) => resolve(asAnswer(request, response)))
      request.on('error', (error: NodeJS.ErrnoException) => {
        // Any later the provider may have begun to work: a retry would be paid twice.
        const isStale =
          request.reusedSocket &&
          error.code === 'ECONNRESET' &&
          performance.now() - startMs < STALE_WITHIN_MS
        reject(isStale ? new StaleConnection() : named(error, url, proxy))
      })
      request.end(body ?? undefined)
    })
  }
}

/** An unreachable http proxy fails like its target; only the address tells them apart. */
function named(error: NodeJS.ErrnoException, url: URL, proxy: HttpProxy | null): Error {
  if (proxy === null || url.protocol === 'https:') return error
  return proxyError(proxy, `cannot be reached (${error.code ?? error.message})`, 'PROXY_DOWN')
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

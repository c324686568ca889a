import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as plainRequest,
  type RequestOptions,
} from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import type { UpstreamAnswer } from './http.ts'
import {
  findProxy,
  type HttpProxy,
  ProxyError,
  TunnelAgent,
  throughProxy,
} from './upstream-proxy.ts'

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

type Own = Readonly<Record<string, string | undefined>>

/** Connections to providers, through the proxies of the environment, open between calls; `close` leaves no socket. */
export class UpstreamPool {
  readonly #plain = new Agent({ keepAlive: true, noDelay: true })
  readonly #tls = new TlsAgent({ keepAlive: true, noDelay: true })
  readonly #tunnels = new Map<string, TunnelAgent>()
  readonly #own: Own

  constructor(own: Own = RUNNER_ENV) {
    this.#own = own
  }

  /**
   * Sends one request and answers when the head of the answer is there. Throws when the provider cannot be reached or
   * hangs up before that, or when `signal` ends. A reused connection that the provider had closed meanwhile is replaced once.
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
      const request = this.#open(url, { method, headers, signal }, { proxy, connection })
      request.once('response', (response) => resolve(asAnswer(request, response)))
      request.on('error', (error: NodeJS.ErrnoException) => {
        // Later than this the provider had begun to work: a retry would be paid twice.
        const isStale =
          request.reusedSocket &&
          error.code === 'ECONNRESET' &&
          performance.now() - startMs < STALE_WITHIN_MS
        reject(isStale ? new StaleConnection() : named(error, url, proxy))
      })
      request.end(body ?? undefined)
    })
  }

  #open(
    url: URL,
    options: Pick<RequestOptions, 'method' | 'headers' | 'signal'>,
    { proxy, connection }: { proxy: HttpProxy | null; connection: 'reused' | 'new' },
  ): ClientRequest {
    const isNew = connection === 'new'
    if (url.protocol === 'https:') {
      const agent = proxy ? this.#tunnel(proxy, isNew) : isNew ? false : this.#tls
      return tlsRequest(url, { ...options, agent })
    }
    if (!proxy) return plainRequest(url, { ...options, agent: isNew ? false : this.#plain })
    const { headers, ...place } = throughProxy(proxy, url)
    const send = place.protocol === 'https:' ? tlsRequest : plainRequest
    const agent = place.protocol === 'https:' ? this.#tls : this.#plain
    return send({
      ...options,
      ...place,
      headers: { ...options.headers, ...headers },
      agent: isNew ? false : agent,
    })
  }

  #tunnel(proxy: HttpProxy, isNew: boolean): TunnelAgent {
    if (isNew) return new TunnelAgent(proxy, { keepAlive: false })
    const tunnel = this.#tunnels.get(proxy.url.href) ?? new TunnelAgent(proxy, { keepAlive: true })
    this.#tunnels.set(proxy.url.href, tunnel)
    return tunnel
  }
}

/** An http proxy that cannot be reached fails like its target: only the address shows whose fault it was. */
function named(error: NodeJS.ErrnoException, url: URL, proxy: HttpProxy | null): Error {
  if (proxy === null || url.protocol === 'https:') return error
  return new ProxyError(proxy, `cannot be reached (${error.code ?? error.message})`, 'PROXY_DOWN')
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

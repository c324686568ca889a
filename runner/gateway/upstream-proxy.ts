import { type ClientRequestArgs, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { subjectError } from '../runner-error.ts'

type Own = Readonly<Record<string, string | undefined>>

/** A proxy between this machine and a provider. */
export type HttpProxy = {
  url: URL
  /** Without a password. */
  shown: string
  /** The variable that named it. */
  variable: string
}

/**
 * The proxy for a URL, by HTTPS_PROXY, HTTP_PROXY and NO_PROXY; the lower-case name of each goes first. This machine
 * itself is never asked through one. Null = none. Throws a RunnerError for a proxy that is not an http or https URL.
 */
export function findProxy(target: URL, own: Own): HttpProxy | null {
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const variable = own[name.toLowerCase()] ? name.toLowerCase() : name
  const text = own[variable]
  if (!text || isLoopback(target.hostname) || isExempt(target, own.no_proxy || own.NO_PROXY || ''))
    return null
  // curl takes a proxy without a scheme, so people write them.
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw subjectError(`${variable} is not the URL of an HTTP proxy, as http://proxy.example:3128`)
  return { url, shown: url.origin, variable }
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** `NO_PROXY=example.com,.corp,10.0.0.7:8443`: hosts with their subdomains, with a port only on that port; `*` = all. */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true
      const [, host = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
      const bare = host.replace(/^\*?\./, '')
      const fits = hostname === bare || hostname.endsWith(`.${bare}`)
      return bare !== '' && fits && (only === undefined || only === ownPort)
    })
}

/** A proxy that did not let a request through, in a sentence; `code` is short, for the record of a call. */
export class ProxyError extends Error {
  readonly code: string

  constructor({ shown, variable }: HttpProxy, what: string, code: string) {
    super(`the proxy ${shown} (${variable}) ${what}`)
    this.code = code
  }
}

const MOST_CONNECTING_MS = 30_000

function credentials({ url }: HttpProxy): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const text = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` }
}

function proxyPlace({ url }: HttpProxy): Pick<ClientRequestArgs, 'host' | 'port'> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port: url.port || (url.protocol === 'https:' ? 443 : 80) }
}

/** How a request for an http URL is put to a proxy: the whole URL in place of its path. */
export function throughProxy(proxy: HttpProxy, target: URL) {
  return {
    ...proxyPlace(proxy),
    protocol: proxy.url.protocol,
    path: target.href,
    headers: { host: target.host, ...credentials(proxy) },
  }
}

/** Connections to https hosts through a tunnel (CONNECT): the proxy sees the host's name and nothing else. */
export class TunnelAgent extends TlsAgent {
  readonly #proxy: HttpProxy

  constructor(proxy: HttpProxy, options: { keepAlive: boolean }) {
    super({ ...options, noDelay: true })
    this.#proxy = proxy
  }

  override createConnection(
    options: ClientRequestArgs & { servername?: string },
    onCreate?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    openTunnel(this.#proxy, `${bracketed(options.host ?? '')}:${options.port ?? 443}`).then(
      (socket) => onCreate?.(null, connectTls({ ...tlsOptions(options), socket })),
      // The types want a stream even where there is none.
      (error: Error) => (onCreate as ((error: Error) => void) | undefined)?.(error),
    )
    return undefined
  }
}

function tlsOptions({ servername, host }: ClientRequestArgs & { servername?: string }) {
  return { host: host ?? '', servername: servername ?? '', ALPNProtocols: ['http/1.1'] }
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** A raw connection to `authority` behind the proxy. Throws a ProxyError. */
function openTunnel(proxy: HttpProxy, authority: string): Promise<Duplex> {
  const send = proxy.url.protocol === 'https:' ? tlsRequest : plainRequest
  return new Promise((resolve, reject) => {
    const request = send({
      ...proxyPlace(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentials(proxy) },
      // A tunnel is used up by the connection that it carries.
      agent: false,
      timeout: MOST_CONNECTING_MS,
    })
    request.once('connect', (response, socket) => {
      socket.setTimeout(0)
      if (response.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(refusalOf(proxy, response.statusCode ?? 0, authority))
    })
    // A proxy that answers with a body of its own did not understand CONNECT.
    request.once('response', (response) => {
      response.destroy()
      reject(refusalOf(proxy, response.statusCode ?? 0, authority))
    })
    request.once('timeout', () => request.destroy(new Error('it did not answer in time')))
    request.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ProxyError(proxy, `cannot be reached (${error.code ?? error.message})`, 'PROXY_DOWN'),
      ),
    )
    request.end()
  })
}

function refusalOf(proxy: HttpProxy, status: number, authority: string): ProxyError {
  const what =
    status === 407
      ? `wants a user name and password: write them into ${proxy.variable}`
      : `does not let requests through to ${authority} (${status})`
  return new ProxyError(proxy, what, `PROXY_${status}`)
}

import { type ClientRequestArgs, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

export type Env = Readonly<Record<string, string | undefined>>

/** A proxy between this machine and others. */
export type HttpProxy = {
  url: URL
  /** URL without the password. */
  shown: string
  /** Name of the environment variable. */
  variable: string
}

/**
 * Finds the proxy for a URL from HTTPS_PROXY, HTTP_PROXY and NO_PROXY; lower-case names take precedence. Requests to
 * this machine never use a proxy. Null = none. Throws a ProxyError for a proxy that is not an http or https URL.
 */
export function findProxy(target: URL, env: Env): HttpProxy | null {
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const variable = env[name.toLowerCase()] ? name.toLowerCase() : name
  const text = env[variable]
  if (!text || isLoopback(target.hostname) || isExempt(target, env.no_proxy || env.NO_PROXY || ''))
    return null
  // curl accepts a proxy without a scheme, so this does too.
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new ProxyError(
      `${variable} is not the URL of an HTTP proxy, as http://proxy.example:3128`,
      'NO_PROXY_URL',
    )
  return { url, shown: url.origin, variable }
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/**
 * `NO_PROXY=example.com,.corp,10.0.0.7:8443,10.0.0.0/8`: hosts with their subdomains, with a port only on that port;
 * networks in CIDR notation for hosts that are addresses; `*` = all.
 */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*' || isInNetwork(host, entry)) return true
      const [, name = '', only] = isIP(entry) ? [entry, entry] : (ENTRY.exec(entry) ?? [])
      const bare = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '')
      const fits = host === bare || host.endsWith(`.${bare}`)
      return bare !== '' && fits && (only === undefined || only === ownPort)
    })
}

const ENTRY = /^(.*?)(?::(\d+))?$/

function isInNetwork(host: string, entry: string): boolean {
  const [, address = '', bits] = /^([\d.]+|[\da-f:]+)\/(\d{1,3})$/.exec(entry) ?? []
  const family = isIP(address)
  if (family === 0 || isIP(host) !== family || Number(bits) > (family === 4 ? 32 : 128))
    return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const network = new BlockList()
  network.addSubnet(address, Number(bits), type)
  return network.check(host, type)
}

/**
 * A proxy that cannot be used or refused a request, with a one-sentence message; `code` is short, for the record of a
 * call.
 */
export class ProxyError extends Error {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Creates a ProxyError that names the proxy and its variable. */
export function proxyError({ shown, variable }: HttpProxy, what: string, code: string): ProxyError {
  return new ProxyError(`the proxy ${shown} (${variable}) ${what}`, code)
}

const MAX_CONNECTING_MS = 30_000

function credentials({ url }: HttpProxy): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const text = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` }
}

function proxyPlace({ url }: HttpProxy): Pick<ClientRequestArgs, 'host' | 'port'> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port: url.port || (url.protocol === 'https:' ? 443 : 80) }
}

/** Builds the options of an http request through a proxy, with the whole URL in place of its path. */
export function throughProxy(proxy: HttpProxy, target: URL) {
  return {
    ...proxyPlace(proxy),
    protocol: proxy.url.protocol,
    path: target.href,
    headers: { host: target.host, ...credentials(proxy) },
  }
}

/** Connects to https hosts through a tunnel (CONNECT): the proxy sees only the host's name. */
export class TunnelAgent extends TlsAgent {
  readonly #proxy: HttpProxy

  constructor(proxy: HttpProxy, options: { keepAlive: boolean }) {
    super({ ...options, noDelay: true })
    this.#proxy = proxy
  }

  override createConnection(
    options: ClientRequestArgs & ConnectionOptions,
    onCreate?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    openTunnel(this.#proxy, `${bracketed(options.host ?? '')}:${options.port ?? 443}`).then(
      (socket) => onCreate?.(null, connectTls({ ...tlsOptions(options), socket })),
      // The types require a stream even when there is none.
      (error: Error) => (onCreate as ((error: Error) => void) | undefined)?.(error),
    )
    return undefined
  }
}

function tlsOptions({ servername, host, ca, cert, key }: ClientRequestArgs & ConnectionOptions) {
  const given = Object.fromEntries(
    Object.entries({ ca, cert, key }).filter(([, value]) => value !== undefined),
  )
  return { ...given, host: host ?? '', servername: servername ?? '', ALPNProtocols: ['http/1.1'] }
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** Opens a raw connection to `authority` behind the proxy. Throws a ProxyError. */
function openTunnel(proxy: HttpProxy, authority: string): Promise<Duplex> {
  const send = proxy.url.protocol === 'https:' ? tlsRequest : plainRequest
  return new Promise((resolve, reject) => {
    const request = send({
      ...proxyPlace(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentials(proxy) },
      // A tunnel carries one connection only.
      agent: false,
      timeout: MAX_CONNECTING_MS,
    })
    request.once('connect', (response, socket) => {
      socket.setTimeout(0)
      if (response.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(refusalOf(proxy, response.statusCode ?? 0, authority))
    })
    // A proxy that responds with a body did not understand CONNECT.
    request.once('response', (response) => {
      response.destroy()
      reject(refusalOf(proxy, response.statusCode ?? 0, authority))
    })
    request.once('timeout', () => request.destroy(new Error('it did not answer in time')))
    request.once('error', (error: NodeJS.ErrnoException) =>
      reject(proxyError(proxy, `cannot be reached (${error.code ?? error.message})`, 'PROXY_DOWN')),
    )
    request.end()
  })
}

function refusalOf(proxy: HttpProxy, status: number, authority: string): ProxyError {
  const what =
    status === 407
      ? `wants a user name and password: write them into ${proxy.variable}`
      : `does not let requests through to ${authority} (${status})`
  return proxyError(proxy, what, `PROXY_${status}`)
}

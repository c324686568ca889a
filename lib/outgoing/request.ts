import {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request as requestPlain,
} from 'node:http'
import { request as requestTls, type RequestOptions as TlsOptions } from 'node:https'
import { findProxy, type HttpProxy, ProxyError, TunnelAgent, throughProxy } from './proxy.ts'

type Agents = {
  plain: Agent | false
  tls: Agent | false
  tunnel: (proxy: HttpProxy) => Agent
}

/** Agents whose connections are used once. */
const ONCE: Agents = {
  plain: false,
  tls: false,
  tunnel: (proxy) => new TunnelAgent(proxy, { keepAlive: false }),
}

type Options = Pick<RequestOptions, 'method' | 'headers' | 'signal' | 'timeout'> &
  Pick<TlsOptions, 'ca' | 'cert' | 'key'>

type Way = { proxy?: HttpProxy | null; agents?: Agents | undefined }

/** Opens a request, through the environment's proxy for its URL. The caller ends it. Throws a ProxyError. */
export function openRequest(
  url: URL,
  options: Options,
  // biome-ignore lint/style/noProcessEnv: all programs of this machine share these variables
  { proxy = findProxy(url, process.env), agents = ONCE }: Way = {},
): ClientRequest {
  if (url.protocol === 'https:') {
    const agent = proxy ? agents.tunnel(proxy) : agents.tls
    return requestTls(url, { ...options, agent })
  }
  if (!proxy) return requestPlain(url, { ...options, agent: agents.plain })
  const { headers, ...place } = throughProxy(proxy, url)
  const isTls = place.protocol === 'https:'
  const send = isTls ? requestTls : requestPlain
  const agent = isTls ? agents.tls : agents.plain
  return send({ ...options, ...place, headers: { ...options.headers, ...headers }, agent })
}

export type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer }

type OutgoingRequest = Options & {
  body?: string | undefined
  /** Timeout of the whole response. */
  timeoutMs: number
  maxBytes: number
}

/**
 * Sends one request and reads the whole response of any status. Follows no redirect, since requests carry tokens.
 * Throws an Error with the reason when there is no response.
 */
export async function ask(
  url: URL,
  { body, timeoutMs, maxBytes, ...options }: OutgoingRequest,
): Promise<Reply> {
  const time = AbortSignal.timeout(timeoutMs)
  const signal = options.signal ? AbortSignal.any([time, options.signal]) : time
  try {
    const request = openRequest(url, { ...options, signal })
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject).end(body)
    })
    // Connection errors reach the reader through the response.
    request.on('error', () => {})
    return await readReply(response, maxBytes)
  } catch (error) {
    if (time.aborted) throw new Error(`no reply within ${timeoutMs / 1000} s`, { cause: error })
    throw new Error(whyUnreached(error), { cause: error })
  }
}

async function readReply(response: IncomingMessage, maxBytes: number): Promise<Reply> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Leaving the loop early closes the connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error('the reply is too large')
    chunks.push(chunk)
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks),
  }
}

/** Describes why a request failed, in a few words: the proxy's message, or the system's error code. */
export function whyUnreached(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return error instanceof ProxyError ? message : (code ?? message)
}

import { randomBytes } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { publicStamp } from '../../db/change-store.ts'
import { createLog } from '../../log.ts'
import { NotedReads, notingReads } from '../evidence/noted-reads.ts'
import { answering } from './answer-not-found.ts'
import { countAnswer, isCachedAnswer, networkBehind } from './cached-answers.ts'
import { type CachedPage, CachedPages, cacheName } from './cached-pages.ts'
import { PEER_HEADER } from './peer-address.ts'
import { readableAddress } from './readable-address.ts'
import { RenderQueue } from './render-queue.ts'
import { type Answer, describeAnswer, describePage, sendPage } from './sent-pages.ts'

const log = createLog('pages')

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Runs before Next in this process: public pages are rendered once for each state of the public data and cached, a
 * reader who has a page already is answered before anything is built, and only so many renders are under way. A server
 * that is developed keeps no pages.
 */
export function frontPages({ isKeeping }: { isKeeping: boolean }): void {
  const fronted = new WeakSet<Server>()
  // Published before a server's listeners are called, so that the very first request goes the same way.
  subscribe('http.server.request.start', (message) => {
    const { server } = message as { server: Server }
    if (fronted.has(server)) return
    fronted.add(server)
    const [next, ...others] = server.listeners('request')
    if (next === undefined || others.length > 0) return
    const inner = isKeeping ? createFront(server, next as Listener) : (next as Listener)
    const front: Listener = (request, response) => {
      // Next fails at it, as no Request can be made of it.
      if (request.method === 'TRACE')
        return void response.writeHead(405, { Allow: 'GET, HEAD' }).end()
      request.url = readableAddress(request.url ?? '/')
      answering(response, () => inner(request, response))
    }
    server.removeListener('request', next as Listener)
    server.on('request', front)
  })
}

/** Marks the requests by which this process renders its own pages, by a secret of each that no other process knows. */
const RENDER_HEADER = 'x-proofboard-render'

/** Rendering is work for the processor, of which this process has one: more at once only makes each later. */
const RENDER_LIMITS = { total: 4, perNetwork: 2, waiting: 1000 }

function createFront(server: Server, next: Listener): Listener {
  const queue = new RenderQueue(RENDER_LIMITS)
  const shared = new SharedRenders(server, queue)
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const ended = await queue.enter(goneSignal(response), new Set([networkBehind(request)]))
    if (ended === 'gone') return
    if (ended === 'full') return refuse(response)
    if (response.closed) return ended()
    response.once('close', ended)
    next(request, response)
  }
  return (request, response) => {
    const own = shared.findRender(request.headers[RENDER_HEADER])
    delete request.headers[RENDER_HEADER]
    if (own) {
      // What this server asks itself is no reader's request.
      delete request.headers[PEER_HEADER]
      return notingReads(own, () => next(request, response))
    }
    const { method, url = '' } = request
    // The API has limits of its own, files are quick, and a body must be read as it comes.
    const isPage = (method === 'GET' || method === 'HEAD') && !/^\/(?:api|_next)\//.test(url)
    const name = cacheName(request)
    if (!(isPage || name)) return next(request, response)
    if (name === null) return void pass(request, response)
    answer(name, request, response).catch((error: unknown) => {
      log.warn('a page could not be rendered for the cache', { error })
      if (!response.closed) next(request, response)
    })
  }

  async function answer(
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const stamp = await publicStamp()
    if (response.closed) return
    if (stamp === null) return pass(request, response)
    const cached = shared.pages.find(name, stamp, performance.now())
    if (cached !== null) return send(cached, request, response)
    // Only now: to make and fire a signal costs more than to find a cached page.
    const page = await shared.render({ name, stamp, request, gone: goneSignal(response) })
    if (page === 'full') refuse(response)
    else if (page === 'alone') await pass(request, response)
    else if (page !== 'gone') send(page, request, response)
  }

  function send(page: CachedPage, request: IncomingMessage, response: ServerResponse): void {
    const counted = isCachedAnswer(request.url ?? '') ? countAnswer(request) : null
    // The endpoint has the sentence for who asks too often.
    if (counted?.allowed === false) next(request, response)
    else sendPage(request, response, page, counted?.headers)
  }
}

/** Fires when the reader has left, or was answered. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '2' })
  response.end('Too many pages are being rendered. Retry in a moment.\n')
}

type Wanted = { name: string; stamp: string; request: IncomingMessage; gone: AbortSignal }
/** `alone` = the page can only be allowed by a nonce, and so for one reader. */
type Outcome = CachedPage | 'alone' | 'full' | 'gone'
type Flight = {
  page: Promise<Outcome>
  readers: number
  /** The networks of its readers. */
  senders: Set<string>
  stop: AbortController
}

/** One render for all who ask for the same page of the same data; it stops when the last of them has left. */
class SharedRenders {
  readonly pages = new CachedPages()
  readonly #server: Server
  readonly #queue: RenderQueue
  readonly #flights = new Map<string, Flight>()
  readonly #renders = new Map<string, NotedReads>()

  constructor(server: Server, queue: RenderQueue) {
    this.#server = server
    this.#queue = queue
  }

  /** What a render of our own has read so far, by its secret; null = the request comes from elsewhere. */
  findRender(secret: string | string[] | undefined): NotedReads | null {
    return this.#renders.get(String(secret)) ?? null
  }

  render(wanted: Wanted): Promise<Outcome> {
    const key = `${wanted.stamp} ${wanted.name}`
    const flight = this.#flights.get(key) ?? this.#begin(key, wanted)
    flight.readers++
    flight.senders.add(networkBehind(wanted.request))
    const leave = () => {
      flight.readers--
      if (flight.readers > 0) return
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
      flight.stop.abort()
    }
    wanted.gone.addEventListener('abort', leave, { once: true })
    return flight.page
  }

  #begin(key: string, wanted: Wanted): Flight {
    const stop = new AbortController()
    const senders = new Set([networkBehind(wanted.request)])
    const page = this.#work(wanted, senders, stop.signal).finally(() => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    })
    const flight: Flight = { page, readers: 0, senders, stop }
    this.#flights.set(key, flight)
    return flight
  }

  async #work(
    { name, stamp, request }: Wanted,
    senders: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const ended = await this.#queue.enter(signal, senders)
    if (typeof ended !== 'function') return ended
    const secret = randomBytes(16).toString('hex')
    const reads = new NotedReads()
    this.#renders.set(secret, reads)
    try {
      const answer = await askSelf(this.#server, { request, secret, signal })
      const describe = isCachedAnswer(request.url ?? '') ? describeAnswer : describePage
      const page = await describe(answer, { stamp, reads })
      if (page === null) return 'alone'
      if (page.status === 200 && reads.areUnchanged()) this.pages.keep(name, page)
      return page
    } catch (error) {
      if (signal.aborted) return 'gone'
      throw error
    } finally {
      this.#renders.delete(secret)
      ended()
    }
  }
}

type Ask = { request: IncomingMessage; secret: string; signal: AbortSignal }

/** The page as Next renders it, requested over a connection to this server. */
function askSelf(server: Server, { request, secret, signal }: Ask): Promise<Answer> {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port')
  const isAnywhere = bound.address === '::' || bound.address === '0.0.0.0'
  const { host, 'x-forwarded-host': asked, 'x-forwarded-proto': scheme } = request.headers
  const headers = {
    accept: isCachedAnswer(request.url ?? '') ? 'application/json' : 'text/html',
    'accept-encoding': 'identity',
    [RENDER_HEADER]: secret,
    ...(host !== undefined && { host }),
    ...(asked !== undefined && { 'x-forwarded-host': asked }),
    ...(scheme !== undefined && { 'x-forwarded-proto': scheme }),
  }
  return new Promise((resolve, reject) => {
    const sent = ask({
      host: isAnywhere ? '127.0.0.1' : bound.address,
      port: bound.port,
      path: request.url,
      agent: false,
      headers,
      signal,
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      const { statusCode: status = 500, headers: fields } = response
      buffer(response).then((body) => resolve({ status, headers: fields, body }), reject)
    })
    sent.end()
  })
}

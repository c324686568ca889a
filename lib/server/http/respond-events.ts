import { frameEvent, type StreamEvent } from '../../domain/api/index.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { processWide } from '../../process-wide.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { senderNetwork } from './rate-limiter.ts'

/** Proxies close connections that are silent for longer. */
const BEAT_MS = 15_000
/** Timeout of a reader that accepts no data; it reconnects and resumes where it stopped. */
const STALL_MS = 120_000
const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // `no-transform` prevents compression, and so buffering.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  // A stream does not share its connection: left open afterwards, it would delay a server that stops.
  Connection: 'close',
}

const log = createLog('http')
const encoder = new TextEncoder()

/**
 * Responds with server-sent events at the reader's speed. Ends when the source ends, the reader leaves, or the server
 * stops; 503 when there are too many readers, 429 when one network has too many.
 */
export async function respondEvents(
  request: Request,
  open: (signal: AbortSignal) => Promise<AsyncGenerator<StreamEvent[]>>,
): Promise<Response> {
  const { stop, leave } = enterStream(senderNetwork(request.headers))
  try {
    const source = await open(stop.signal)
    const body = streamOf(source, stop, leave)
    if (request.signal.aborted) stop.abort()
    request.signal.addEventListener('abort', () => stop.abort())
    return new Response(body, { headers: HEADERS })
  } catch (error) {
    leave()
    throw error
  }
}

/** Returns the id of the reader's last event, which a browser sends when it reconnects. */
export function readPlace(request: Request): string | null {
  return request.headers.get('last-event-id') || new URL(request.url).searchParams.get('from')
}

type Next = Promise<IteratorResult<StreamEvent[]>>

function streamOf(
  source: AsyncGenerator<StreamEvent[]>,
  stop: AbortController,
  leave: () => void,
): ReadableStream<Uint8Array> {
  // Started at once: a generator that never ran ends without its `finally`, and would keep its resources.
  let next: Next | null = source.next()
  next.catch(() => {}) // `pull` reports the error
  let stalled: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(stalled)
    leave()
    void source.return(undefined).catch(() => {})
  }
  stop.signal.addEventListener('abort', end)
  const send = (controller: ReadableStreamDefaultController, text: string) => {
    controller.enqueue(encoder.encode(text))
    stalled = setTimeout(() => stop.abort(), STALL_MS).unref()
  }
  const pull = async (controller: ReadableStreamDefaultController) => {
    clearTimeout(stalled)
    next ??= source.next()
    try {
      const result = await beatOr(next, stop.signal)
      if (result === 'beat') return send(controller, ': beat\n\n')
      next = null
      if (result !== 'stopped' && !result.done)
        return send(controller, result.value.map(frameEvent).join(''))
    } catch (error) {
      if (!stop.signal.aborted) log.error('a stream broke, please report this bug', { error })
    }
    end()
    controller.close()
  }
  return new ReadableStream({
    start: (controller) => send(controller, 'retry: 1500\n\n'),
    pull,
    cancel: () => stop.abort(),
  })
}

/** Returns the next events, or a heartbeat when there were none for a while. */
async function beatOr(
  next: Next,
  signal: AbortSignal,
): Promise<IteratorResult<StreamEvent[]> | 'beat' | 'stopped'> {
  let timer: NodeJS.Timeout | undefined
  let undo = () => {}
  const other = new Promise<'beat' | 'stopped'>((resolve) => {
    timer = setTimeout(() => resolve('beat'), BEAT_MS)
    const stopped = () => resolve('stopped')
    undo = () => signal.removeEventListener('abort', stopped)
    signal.addEventListener('abort', stopped)
    if (signal.aborted) stopped()
  })
  try {
    return await Promise.race([next, other])
  } finally {
    clearTimeout(timer)
    undo()
  }
}

/** A browser tab has two streams at most, and a server many thousand idle ones; more is an attack. */
const MAX_STREAMS = 1000
/** Enough for an office behind one address; the rest stays free for others. */
const MAX_STREAMS_PER_NETWORK = 100

const openStreams = () => processWide('streams', openGate)

/** Opens a stream: `signal` fires when it has to end. Throws an AppError when all slots are taken. */
function enterStream(network: string | null): { stop: AbortController; leave: () => void } {
  const { streams, limiter } = openStreams()
  const leave = drainSignal().aborted ? 'full' : limiter.enter(network)
  if (leave === 'full')
    throw new AppError('too-many-readers', 'too many live streams: try again in 5 seconds')
  if (leave === 'network-full')
    throw new AppError(
      'too-many-requests',
      `Your network has ${MAX_STREAMS_PER_NETWORK} live streams open: close one, then try again.`,
    )
  const stop = new AbortController()
  streams.add(stop)
  return {
    stop,
    leave: () => {
      streams.delete(stop)
      leave()
    },
  }
}

/** Closes all streams when the server stops, since they would never end: readers reconnect to the next server. */
function openGate(): { streams: Set<AbortController>; limiter: ConcurrencyLimiter } {
  const streams = new Set<AbortController>()
  const limiter = new ConcurrencyLimiter({
    total: MAX_STREAMS,
    perNetwork: MAX_STREAMS_PER_NETWORK,
  })
  const endAll = () => {
    for (const stop of [...streams]) stop.abort()
  }
  drainSignal().addEventListener('abort', endAll, { once: true })
  return { streams, limiter }
}

/** Returns the number of open streams. */
export function countStreams(): number {
  return openStreams().streams.size
}

/**
 * Returns a signal that fires when this server is stopping. Responses in progress are finished, but a stream has no
 * end, so its code closes it then, and the reader reconnects to the next server.
 */
export function drainSignal(): AbortSignal {
  return processWide('drain', makeController).signal
}

function makeController(): AbortController {
  const controller = new AbortController()
  const drain = () => controller.abort()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, drain)
  return controller
}

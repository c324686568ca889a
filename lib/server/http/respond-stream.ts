import { safeFileName } from '../../domain/text/index.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { processWide } from '../../process-wide.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { senderNetwork } from './rate-limiter.ts'
import { etagOf, isKnown } from './respond.ts'

type Pieces = AsyncIterable<string>
type ExportFile = {
  name: string
  type: string
  tag: string
  /** May throw before anything is sent. */
  pieces: () => Pieces | Promise<Pieces>
}

const GATHERED = 65_536

/**
 * Responds with a file that is generated while it is sent, at any size. `tag` covers everything that determines its
 * bytes: a client that has it gets 304, and nothing is generated.
 */
export async function respondExport(
  request: Request,
  { name, type, tag, pieces }: ExportFile,
): Promise<Response> {
  const etag = etagOf(tag)
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'ETag, Content-Disposition',
    'Cache-Control': 'no-cache',
    'Content-Disposition': `attachment; filename="${safeFileName(name)}"`,
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  }
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
  const body = toStream((await pieces())[Symbol.asyncIterator]())
  return new Response(body, { headers: { ...headers, 'Content-Type': `${type}; charset=utf-8` } })
}

/** Joins small pieces. Generation stops when the reader stops. */
function toStream(pieces: AsyncIterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = ''
      while (text.length < GATHERED) {
        const piece = await pieces.next()
        if (piece.done) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += piece.value
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}

/** Each response reads a file as fast as the disk allows. */
const ANSWER_LIMITS = { total: 8, perNetwork: 4 }

const answers = processWide('answers', () => new ConcurrencyLimiter(ANSWER_LIMITS))
const log = createLog('http')
const encoder = new TextEncoder()

/**
 * Responds with values as lines of JSON, each as soon as it is known; stops when the reader leaves. Throws
 * too-many-requests beyond the limit of this server, or of one network.
 */
export function respondLines(
  request: Request,
  open: (signal: AbortSignal) => AsyncGenerator<unknown>,
): Response {
  const leave = answers.enter(senderNetwork(request.headers))
  if (typeof leave === 'string')
    throw new AppError('too-many-requests', 'too many concurrent searches: try again in a moment')
  const stop = new AbortController()
  const source = open(stop.signal)
  let isOpen = true
  const end = () => {
    if (!isOpen) return
    isOpen = false
    leave()
    stop.abort()
    void source.return(undefined).catch(() => {})
  }
  request.signal.addEventListener('abort', end)
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await source.next()
        // The reader may have left meanwhile: then the data is dropped.
        if (!isOpen) return
        if (!done) return controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`))
      } catch (error) {
        if (!isOpen) return
        log.error('an answer broke off, please report this bug', { error })
      }
      end()
      controller.close()
    },
    cancel: end,
  })
  return new Response(body, {
    headers: {
      'Cache-Control': 'no-store, no-transform',
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'X-Accel-Buffering': 'no',
    },
  })
}

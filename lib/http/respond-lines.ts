import { AppError } from '#lib/errors.ts'
import { createLog } from '#lib/log.ts'

/** Each reads a file as fast as the disk gives it. */
const MOST_ANSWERS = 8

// On globalThis, because Next may load a module more than once in a process.
const shared = globalThis as { proofboardAnswers?: number }
const log = createLog('http')
const encoder = new TextEncoder()

/**
 * Answers with values as lines of JSON, each as soon as it is known; stops when the reader leaves. Throws
 * too-many-requests while as many are answered as this server can.
 */
export function respondLines(
  request: Request,
  open: (signal: AbortSignal) => AsyncGenerator<unknown>,
): Response {
  if ((shared.proofboardAnswers ?? 0) >= MOST_ANSWERS)
    throw new AppError('too-many-requests', 'too many concurrent searches: try again in a moment')
  shared.proofboardAnswers = (shared.proofboardAnswers ?? 0) + 1
  const stop = new AbortController()
  const source = open(stop.signal)
  let isOpen = true
  const end = () => {
    if (!isOpen) return
    isOpen = false
    shared.proofboardAnswers = (shared.proofboardAnswers ?? 1) - 1
    stop.abort()
    void source.return(undefined).catch(() => {})
  }
  request.signal.addEventListener('abort', end)
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await source.next()
        // The reader may have left meanwhile: then there is nobody to give it to.
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

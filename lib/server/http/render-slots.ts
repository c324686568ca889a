import type { ServerResponse } from 'node:http'
import { processWide } from '../../process-wide.ts'
import { FairQueue } from './fair-queue.ts'
import { findResponse } from './peer-address.ts'
import { senderNetwork } from './rate-limiter.ts'

/** Rendering uses the processor, of which this process has one: more at once would only delay each. */
const LIMITS = { total: 4, perNetwork: 2, waiting: 1000 }
/** Time after which a slow reader's slot is free again while the page is still being sent. */
const MAX_SENDING_MS = 500

const queue = processWide('renders', () => new FairQueue(LIMITS))

/** Waits until the page of a request may be rendered, and holds its slot until the page was sent. */
export async function takeRenderSlot(headers: Headers): Promise<'taken' | 'full' | 'gone'> {
  const response = findResponse(headers)
  if (response === null || response.closed) return 'gone'
  const entered = await queue.enter(goneSignal(response), senderNetwork(headers) ?? '')
  if (typeof entered !== 'function') return entered
  if (response.closed) {
    entered()
    return 'gone'
  }
  response.once('finish', entered).once('close', entered)
  endOnceSent(response, entered)
  return 'taken'
}

/** Calls `end` once a page was sent. It is rendered when its head is sent; the rest depends on the reader. */
function endOnceSent(response: ServerResponse, end: () => void): void {
  let isSending = false
  const timer = setInterval(() => {
    if (isSending) end()
    if (isSending || response.closed) clearInterval(timer)
    isSending = response.headersSent
  }, MAX_SENDING_MS)
  timer.unref()
}

/** Returns a signal that fires when the reader left. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

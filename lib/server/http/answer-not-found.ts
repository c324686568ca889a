import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { processWide } from '../../process-wide.ts'

const responses = processWide('responses', () => new AsyncLocalStorage<ServerResponse>())

/** Runs `work`, in which a page may say that it answers 404. */
export function answering<T>(response: ServerResponse, work: () => T): T {
  return responses.run(response, work)
}

/**
 * The page that is being rendered answers 404 and is shown all the same: Next's own `notFound` gives up on the HTML and
 * leaves the text to scripts. False = nothing can be said any more, or nothing stands before Next yet.
 */
export function answerNotFound(): boolean {
  const response = responses.getStore()
  if (!response || response.headersSent) return false
  response.statusCode = 404
  return true
}

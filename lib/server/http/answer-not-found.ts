import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'

// On globalThis, because Next may load a module more than once in a process.
const shared = globalThis as { proofboardResponses?: AsyncLocalStorage<ServerResponse> }

function current(): AsyncLocalStorage<ServerResponse> {
  shared.proofboardResponses ??= new AsyncLocalStorage<ServerResponse>()
  return shared.proofboardResponses
}

/** Runs `work`, in which a page may say that it answers 404. */
export function answering<T>(response: ServerResponse, work: () => T): T {
  return current().run(response, work)
}

/**
 * The page that is being rendered answers 404 and is shown all the same: Next's own `notFound` gives up on the HTML and
 * leaves the text to scripts. False = nothing can be said any more, or nothing stands before Next yet.
 */
export function answerNotFound(): boolean {
  const response = current().getStore()
  if (!response || response.headersSent) return false
  response.statusCode = 404
  return true
}

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Protocol } from '#lib/domain/runs/index.ts'

/**
 * Returns the whole request body, or null if it exceeds the limit; the rest is then discarded unread. Throws if the
 * client disconnects.
 */
export async function readClientBody(
  request: IncomingMessage,
  limitBytes: number,
): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return null
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > limitBytes) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Sends a short response from the gateway itself; resolves when the client has it or is gone. */
export function sendWhole(
  client: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<void> {
  return new Promise((resolve) => {
    client.once('close', () => resolve())
    if (client.closed || client.headersSent) return resolve()
    client.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    client.end(body, () => resolve())
  })
}

export const JSON_TYPE = { 'content-type': 'application/json' }

const ANTHROPIC: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}
const OPENAI: Record<number, string> = {
  401: 'authentication_error',
  429: 'rate_limit_exceeded',
  500: 'server_error',
  503: 'server_error',
  529: 'server_error',
}
const GOOGLE: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  529: 'UNAVAILABLE',
}

/** An error body in the wording of the protocol's own provider. */
export function errorBody(protocol: Protocol, status: number, message: string): string {
  switch (protocol) {
    case 'anthropic':
      return JSON.stringify({
        type: 'error',
        error: { type: ANTHROPIC[status] ?? 'api_error', message },
      })
    case 'gemini':
      return JSON.stringify({
        error: { code: status, message, status: GOOGLE[status] ?? 'UNKNOWN' },
      })
    case 'openai-chat':
    case 'openai-responses':
      return JSON.stringify({
        error: {
          message,
          type: OPENAI[status] ?? 'invalid_request_error',
          param: null,
          code: OPENAI[status] ?? null,
        },
      })
  }
}

/** A response as it arrives, from a provider or a recording. `body` throws if the source breaks off. */
export type UpstreamAnswer = {
  status: number
  headers: IncomingHttpHeaders
  body: AsyncIterable<Uint8Array>
  /** Releases the source; safe to call twice. */
  abort: () => void
}

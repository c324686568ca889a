import type { Protocol } from '../protocol.ts'

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

/** An error body as the protocol's own provider words it. */
export function writeError(protocol: Protocol, status: number, message: string): string {
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

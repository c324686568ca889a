import type { ServerResponse } from 'node:http'
import type { AppResponse } from '../app.ts'

const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'same-origin',
  'content-security-policy': "base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
}

/** Sends an answer whole; an app's own headers win over the house's. */
export function send(response: ServerResponse, answer: AppResponse): void {
  const body = Buffer.from(answer.body)
  response.writeHead(answer.status, {
    ...HEADERS,
    'content-type': answer.type,
    'content-length': body.length,
    ...answer.headers,
  })
  response.end(body)
}

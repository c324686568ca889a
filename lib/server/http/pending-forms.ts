import type { ServerResponse } from 'node:http'
import { processWide } from '../../process-wide.ts'
import { findResponse, NUMBER_HEADER } from './peer-address.ts'
import { UNREADABLE_FORM } from './refuse-request.ts'

/** Responses to forms whose server action has begun. */
const begun = processWide('begun actions', () => new WeakSet<ServerResponse>())

/** Records that the action of a request has begun: its form was decoded. */
export function noteAction(headers: Headers): void {
  const response = findResponse(headers)
  if (response) begun.add(response)
}

/**
 * Responds 400 to a form that failed before its action began: React could not decode it. Returns false when the error
 * has another cause.
 */
export function refuseUndecoded(headers: NodeJS.Dict<string | string[]>): boolean {
  const number = String(headers[NUMBER_HEADER])
  const response = findResponse(new Headers({ [NUMBER_HEADER]: number }))
  if (!response || response.headersSent || begun.has(response)) return false
  const { method, url = '' } = response.req
  if (method !== 'POST' || url.startsWith('/api/')) return false
  response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' })
  response.end(`${UNREADABLE_FORM}\n`)
  return true
}

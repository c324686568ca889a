import type { IncomingHttpHeaders } from 'node:http'
import { at, parseJson, textAt } from '../meter/json-value.ts'
import type { Protocol } from '../protocol.ts'
import type { Route } from '../route-request.ts'

/** A model turn as the agent asked for it. */
export type AskedTurn = {
  protocol: Protocol
  /** Below the protocol's base, without query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
  json: unknown
  model: string | null
  streams: boolean
  /** Chat only: the agent itself asked for usage in the stream. */
  asksUsage: boolean
}

/** Reads the request; null when its body is not JSON object, which no provider takes either. */
export function readAskedTurn(
  route: Route & { kind: 'turn' },
  place: { path: string; query: URLSearchParams; headers: IncomingHttpHeaders },
  bytes: Buffer,
): AskedTurn | null {
  const text = bytes.toString('utf8')
  const json = parseJson(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null
  return {
    ...place,
    protocol: route.protocol,
    bytes,
    text,
    json,
    model: route.model ?? textAt(json, 'model'),
    streams: route.streams ?? at(json, 'stream') === true,
    asksUsage: at(json, 'stream_options', 'include_usage') === true,
  }
}

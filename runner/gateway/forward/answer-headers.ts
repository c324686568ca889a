import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { namedByConnection } from './request-headers.ts'

/** Hop-by-hop, or bound to the provider's own host. */
const STAYS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'set-cookie',
  'alt-svc',
  'strict-transport-security',
])

/** What the agent is told: the provider's headers, its encoding and length included, as the bytes are passed unchanged. */
export function answerHeaders(told: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = namedByConnection(told.connection)
  return Object.fromEntries(
    Object.entries(told).filter(([name]) => !STAYS.has(name) && !named.has(name)),
  )
}

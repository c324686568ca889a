import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserFaultKind } from '#lib/domain/browser/browser-fault.ts'
import type { SeenRequest } from '../app-house.ts'
import { type TenantRoute, takeFault } from './tenant-route.ts'

const STALL_MS = 3000
const INJECT_MS = 2000

const MOST_BYTES = 8 << 20

/** Passes one request on to the tenant's app and its answer back, and breaks what the tenant's fault says. */
export async function passRequest(
  route: TenantRoute,
  seen: SeenRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
  const { method } = seen
  // Read before anything is broken: a request that arrived is answered by the app, whoever is left to hear it.
  const body = await readBody(incoming)
  const fault = takeFault(route, seen)
  if (fault === 'server-error') return answerError(route, seen, outgoing)
  if (fault === 'stall') {
    fire(route, fault, `${method} ${seen.path} was answered ${STALL_MS} ms late`)
    await sleep(STALL_MS)
  } else if (fault !== null && fault !== 'lost-response') await injectFault(route, fault)
  forward({ route, seen, incoming, outgoing, body }, fault === 'lost-response')
}

/** Lets whoever can make the fault make it; the request waits for it, but not for ever. */
export async function injectFault(route: TenantRoute, kind: BrowserFaultKind) {
  if (route.inject === null) return
  const late = new AbortController()
  const evidence = await Promise.race([
    route.inject().catch(() => null),
    sleep(INJECT_MS, null, { signal: late.signal }),
  ])
  late.abort()
  if (evidence !== null) fire(route, kind, evidence)
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('the request is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function answerError(route: TenantRoute, seen: SeenRequest, outgoing: ServerResponse) {
  seen.status = 500
  fire(route, 'server-error', `${seen.method} ${seen.path} was answered with 500`)
  outgoing.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error')
}

type Passing = {
  route: TenantRoute
  seen: SeenRequest
  incoming: IncomingMessage
  outgoing: ServerResponse
  body: Buffer
}

function forward({ route, seen, incoming, outgoing, body }: Passing, isLost: boolean) {
  const { hostname, port } = route.base
  const { method, url: path } = incoming
  const { 'transfer-encoding': _, ...given } = incoming.headers
  const headers = { ...given, ...route.pass }
  if (body.length > 0) headers['content-length'] = String(body.length)
  const upstream = request({ hostname, port, method, path, headers }, (answer) => {
    if (isLost) return loseAnswer(route, seen, answer, outgoing)
    seen.status = answer.statusCode ?? null
    if (outgoing.destroyed) return answer.resume()
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
    return outgoing.on('close', () => answer.destroy())
  })
  upstream.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('The app does not answer.')
  })
  upstream.end(body)
}

/** The app has answered, so the change is made; the browser never hears of it. */
function loseAnswer(
  route: TenantRoute,
  { method, path }: SeenRequest,
  answer: IncomingMessage,
  outgoing: ServerResponse,
) {
  answer.resume()
  answer.on('end', () => {
    fire(
      route,
      'lost-response',
      `${method} ${path} was answered with ${answer.statusCode}, unheard`,
    )
    // Bytes that are no HTTP: where a connection just ends, a browser may send the same request again by itself.
    outgoing.socket?.end('the answer was lost\n', () => outgoing.destroy())
  })
}

function fire(route: TenantRoute, kind: BrowserFaultKind, evidence: string) {
  route.fired = { kind, at: new Date().toISOString(), evidence }
}

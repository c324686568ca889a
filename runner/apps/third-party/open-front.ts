import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserFaultKind } from '#lib/domain/record/index.ts'
import type { SeenRequest } from '../app-pool.ts'
import type { Client, FindClient } from '../clients/find-client.ts'
import { noteRequest, type TenantRoute, takeFault } from './third-party-app.ts'

export type Front = {
  port: number
  routes: Map<string, TenantRoute>
  close: () => Promise<void>
}

/**
 * Opens the proxy of all third-party apps of a run; it finds tenants by the first part of the host name, as our server
 * does.
 */
export async function openFront(findClient: FindClient): Promise<Front> {
  const routes = new Map<string, TenantRoute>()
  const admit = createAdmit(routes, findClient)
  const find = ({ headers }: IncomingMessage) => {
    const name = headers.host?.split('.')[0] ?? ''
    const route = routes.get(name)
    return route && { name, route }
  }
  const server = createServer(async (incoming, outgoing) => {
    const tenant = find(incoming)
    if (tenant === undefined) {
      outgoing.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.')
      return
    }
    const { route } = tenant
    keep(route, incoming.socket)
    const { seen, isAdmitted } = await admit(tenant, incoming)
    if (isAdmitted)
      return passRequest(route, seen, incoming, outgoing).catch(() => void outgoing.destroy())
    outgoing.writeHead(REFUSED.status, { 'content-type': 'text/plain' }).end(REFUSED.text)
  })
  server.on('upgrade', async (incoming, socket, head) => {
    const tenant = find(incoming)
    if (tenant === undefined) return socket.destroy()
    keep(tenant.route, socket)
    socket.on('error', () => {})
    const { seen, isAdmitted } = await admit(tenant, incoming)
    if (isAdmitted) passUpgrade(tenant.route, seen, { incoming, socket, head })
    else socket.end(`HTTP/1.1 ${REFUSED.status} Forbidden\r\nConnection: close\r\n\r\n`)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    routes,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const route of routes.values()) dropSockets(route)
      server.closeAllConnections()
      await closed
    },
  }
}

/** Ends every connection of a browser to a tenant. */
export function dropSockets({ sockets }: TenantRoute) {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
}

function keep({ sockets }: TenantRoute, socket: Duplex) {
  if (sockets.has(socket)) return
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
}

/** Forwards a WebSocket: the request unchanged, then bytes both ways. */
function passUpgrade(
  route: TenantRoute,
  seen: SeenRequest,
  { incoming, socket, head }: { incoming: IncomingMessage; socket: Duplex; head: Buffer },
) {
  const { method = 'GET', url = '/', rawHeaders } = incoming
  const upstream = connect(Number(route.base.port), route.base.hostname, () => {
    const lines = [`${method} ${url} HTTP/1.1`]
    for (let i = 0; i < rawHeaders.length; i += 2)
      lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
    for (const [name, value] of Object.entries(route.pass)) lines.push(`${name}: ${value}`)
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`)
    upstream.write(head)
    seen.status = 101
    upstream.pipe(socket).pipe(upstream)
  })
  upstream.on('error', () => socket.destroy())
  upstream.on('close', () => socket.destroy())
  socket.on('error', () => upstream.destroy())
  socket.on('close', () => upstream.destroy())
}

const REFUSED = {
  status: 403,
  text: 'This app answers only the browser that was leased to its episode.\n',
}

/** Records a request and decides whether its sender may use the tenant. */
type Admit = (
  tenant: { name: string; route: TenantRoute },
  incoming: IncomingMessage,
) => Promise<{ seen: SeenRequest; isAdmitted: boolean }>

/** Admits only the browser of a tenant's own episode; every connection is checked once, at its first request. */
function createAdmit(routes: ReadonlyMap<string, TenantRoute>, findClient: FindClient): Admit {
  const known = new WeakMap<Socket, Promise<Client>>()
  const clientOf = (socket: Socket) => {
    const found = known.get(socket) ?? look(socket)
    known.set(socket, found)
    return found
  }
  const look = ({ remoteAddress = '', remotePort = 0, localPort = 0 }: Socket) => {
    const browsers = [...routes.values()].flatMap(({ browser }) => browser ?? [])
    const ends = { address: remoteAddress, port: remotePort, serverPort: localPort }
    return findClient(ends, new Set(browsers)).catch((): Client => 'gone')
  }
  /** Records a request of another episode's browser in that episode, too. */
  const noteSender = (client: Client, method: string, path: string) => {
    for (const own of routes.values())
      if (own.browser === client) noteRequest(own, method, path, 'browser').status = REFUSED.status
  }
  return async ({ name, route }, { method = 'GET', url = '/', socket }) => {
    const [path = '/'] = url.split('?')
    const { browser } = route
    if (browser === null) return { seen: noteRequest(route, method, path, null), isAdmitted: true }
    const client = await clientOf(socket)
    const isAdmitted = client === null || client === browser
    const seen = noteRequest(route, method, path, nameClient(client, browser))
    if (isAdmitted) return { seen, isAdmitted }
    seen.status = REFUSED.status
    if (typeof client === 'number') noteSender(client, method, `//${name}.localhost${path}`)
    return { seen, isAdmitted }
  }
}

function nameClient(client: Client, browser: number): SeenRequest['client'] {
  if (typeof client !== 'number') return client
  return client === browser ? 'browser' : 'another-browser'
}

const STALL_MS = 3000
const INJECT_MS = 2000

const MAX_BYTES = 8 << 20

/** Forwards one request to the tenant's app and returns its response, disturbed by the tenant's fault. */
async function passRequest(
  route: TenantRoute,
  seen: SeenRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
  const { method } = seen
  // Read before the fault is injected: the app handles a request that arrived, even if its client has left.
  const body = await readBody(incoming)
  const fault = takeFault(route, seen)
  if (fault === 'server-error') return answerError(route, seen, outgoing)
  if (fault === 'stall') {
    fire(route, fault, `${method} ${seen.path} was answered ${STALL_MS} ms late`)
    await sleep(STALL_MS)
  } else if (fault !== null && fault !== 'lost-response') await injectFault(route, fault)
  forward({ route, seen, incoming, outgoing, body }, fault === 'lost-response')
}

/** Runs the injector of a fault; the request waits for it, up to a limit. */
async function injectFault(route: TenantRoute, kind: BrowserFaultKind) {
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
    if (size > MAX_BYTES) throw new Error('the request is too large')
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
  const upstream = request({ hostname, port, method, path, headers }, (response) => {
    if (isLost) return loseAnswer(route, seen, response, outgoing)
    seen.status = response.statusCode ?? null
    if (outgoing.destroyed) return response.resume()
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
    response.on('error', () => outgoing.destroy())
    return outgoing.on('close', () => response.destroy())
  })
  upstream.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('The app does not respond.')
  })
  upstream.end(body)
}

/** Drops the response: the app has made the change, but the browser does not learn about it. */
function loseAnswer(
  route: TenantRoute,
  { method, path }: SeenRequest,
  response: IncomingMessage,
  outgoing: ServerResponse,
) {
  response.resume()
  response.on('end', () => {
    fire(
      route,
      'lost-response',
      `${method} ${path} was answered with ${response.statusCode}, unheard`,
    )
    // Bytes that are not HTTP: after a plain end, a browser may repeat the request by itself.
    outgoing.socket?.end('the answer was lost\n', () => outgoing.destroy())
  })
}

function fire(route: TenantRoute, kind: BrowserFaultKind, evidence: string) {
  route.fired = { kind, at: new Date().toISOString(), evidence }
}

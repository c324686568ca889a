import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SeenRequest } from '../app-house.ts'
import type { FindClient } from '../clients/find-client.ts'
import { createAdmit, REFUSED } from './admit-request.ts'
import { passRequest } from './pass-request.ts'
import type { TenantRoute } from './tenant-route.ts'

export type Front = {
  port: number
  routes: Map<string, TenantRoute>
  close: () => Promise<void>
}

/** The door of all third-party apps of a run: tells tenants by the first part of the host name, as our own server does. */
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

/** Ends every connection that a browser still holds to a tenant. */
export function dropSockets({ sockets }: TenantRoute) {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
}

function keep({ sockets }: TenantRoute, socket: Duplex) {
  if (sockets.has(socket)) return
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
}

/** A WebSocket: the request as it came, then bytes both ways. */
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

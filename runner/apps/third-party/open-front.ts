import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { passRequest } from './pass-request.ts'
import { noteRequest, type TenantRoute } from './tenant-route.ts'

export type Front = {
  port: number
  routes: Map<string, TenantRoute>
  close: () => Promise<void>
}

/** The door of all third-party apps of a run: tells tenants by the first part of the host name, as our own server does. */
export async function openFront(): Promise<Front> {
  const routes = new Map<string, TenantRoute>()
  const find = ({ headers }: IncomingMessage) => routes.get(headers.host?.split('.')[0] ?? '')
  const server = createServer((incoming, outgoing) => {
    const route = find(incoming)
    if (route === undefined) {
      outgoing.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.')
      return
    }
    keep(route, incoming.socket)
    passRequest(route, incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.on('upgrade', (incoming, socket, head) => {
    const route = find(incoming)
    if (route === undefined) socket.destroy()
    else passUpgrade(route, incoming, socket, head)
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
function passUpgrade(route: TenantRoute, incoming: IncomingMessage, socket: Duplex, head: Buffer) {
  const { method = 'GET', url = '/', rawHeaders } = incoming
  keep(route, socket)
  const seen = noteRequest(route, method, url.split('?')[0] ?? '/')
  const upstream = connect(Number(route.base.port), route.base.hostname, () => {
    const lines = [`${method} ${url} HTTP/1.1`]
    for (let i = 0; i < rawHeaders.length; i += 2)
      lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
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

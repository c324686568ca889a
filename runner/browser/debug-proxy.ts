import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What Chromium's debugging port is everywhere. */
const SOCKET_PORT = 9222

export type DebugProxy = {
  /** Behind a socket: the port that it is given inside the library's sandbox. */
  port: number
  /** Breaks every connection that is open now and answers how many there were; new ones are welcome. */
  drop: () => number
  close: () => Promise<void>
}

/**
 * A plain pipe before a browser's debugging port, so that a library's connections can be broken without the library or
 * the browser knowing how. Chromium names its addresses by the Host it is asked for, so nothing has to be rewritten.
 */
export async function startDebugProxy(
  browserPort: number,
  socketPath: string | null = null,
): Promise<DebugProxy> {
  const pairs = new Map<Socket, Socket>()
  const server = createServer({ noDelay: true }, (library) => {
    const browser = connect({ port: browserPort, host: '127.0.0.1', noDelay: true })
    pairs.set(library, browser)
    const end = () => {
      pairs.delete(library)
      library.destroy()
      browser.destroy()
    }
    for (const socket of [library, browser]) socket.on('error', end).on('close', end)
    library.pipe(browser).pipe(library)
  })
  if (socketPath === null) server.listen(0, '127.0.0.1')
  else server.listen({ path: socketPath, writableAll: true })
  await once(server, 'listening')
  const drop = () => {
    const open = [...pairs]
    for (const sockets of open) for (const socket of sockets) socket.resetAndDestroy()
    return open.length
  }
  const close = async () => {
    drop()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  const port = socketPath === null ? (server.address() as AddressInfo).port : SOCKET_PORT
  return { port, drop, close }
}

import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { HostRequest } from '../host-protocol.ts'

/** Exposes sockets of the harness as ports of this process's own loopback, which is the only network. */
export async function openSockets(sockets: HostRequest['sockets']): Promise<void> {
  await Promise.all(
    sockets.map(async ({ port, socketPath }) => {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
        const far = connect({ path: socketPath, allowHalfOpen: true })
        near.pipe(far)
        far.pipe(near)
        near.on('error', () => far.destroy())
        far.on('error', () => near.resetAndDestroy())
        far.on('close', () => near.destroy())
      })
      server.unref()
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    }),
  )
}

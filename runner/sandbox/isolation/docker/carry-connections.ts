import { performServerHandshake } from 'node:http2'
import { connect, type Socket } from 'node:net'
import type { GatewaySocket } from '../isolation.ts'

/** Concurrent connections of one subject. */
const MAX_CONNECTIONS = 512

/** Descriptor 3 becomes stdin and stdout: node's HTTP/2 needs one socket, not a pair of pipes. */
const ON_ONE_SOCKET = 'exec "$@" 0<&3 1>&3 3<&-'

/** The command with its stdin and stdout on one socket, for `carryConnections`. */
export function onOneSocket(argv: readonly string[]): string[] {
  return ['/bin/sh', '-c', ON_ONE_SOCKET, 'sh', ...argv]
}

/**
 * Connects the bridge in a container, which has the container's stdin and stdout, to the gateway. Each stream of the
 * session is one connection. A socket is never mounted, because the container may run under another kernel.
 */
export function carryConnections(pipe: Socket, { socketPath }: GatewaySocket): void {
  const settings = { initialWindowSize: 1 << 20, maxConcurrentStreams: MAX_CONNECTIONS }
  pipe.on('error', () => {})
  const session = performServerHandshake(pipe, { settings })
  session.on('error', () => session.destroy())
  session.on('stream', (near) => {
    near.respond({ ':status': 200 })
    const far = connect({ path: socketPath, allowHalfOpen: true })
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
    near.pipe(far)
    far.pipe(near)
  })
}

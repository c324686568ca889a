import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { performServerHandshake, type ServerHttp2Session } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GatewaySocket, INSIDE_GATEWAY, INSIDE_PROOFBOARD } from '../isolation.ts'
import { INSIDE_NODE_PROGRAM } from '../node-mounts.ts'

/** Pause before the container's state is read again, and the limit for it to start. */
const RETRY_MS = 50
const MAX_WAIT_MS = 60_000
/** Concurrent connections of one subject. */
const MAX_CONNECTIONS = 512

/** One socket for both directions: node's HTTP/2 does not work over a pair of pipes. */
const ON_ONE_SOCKET = 'exec "$@" 0<&3 1>&3 3<&-'

/**
 * Connects a running container to the gateway: `docker exec` starts the bridge inside, whose stdin and stdout carry
 * every connection. A socket is never mounted, because the container may run under another kernel. Ends with the
 * container, or at `signal`.
 */
export async function openBridge(
  name: string,
  { socketPath }: GatewaySocket,
  { env, signal }: { env: Record<string, string>; signal: AbortSignal },
): Promise<void> {
  const inside = [INSIDE_NODE_PROGRAM, `${INSIDE_PROOFBOARD}/bridge.mjs`, `${INSIDE_GATEWAY.port}`]
  const argv = ['docker', 'exec', '--interactive', name, ...inside]
  const givenUpAt = performance.now() + MAX_WAIT_MS
  while (!signal.aborted && performance.now() < givenUpAt) {
    const child = spawn('/bin/sh', ['-c', ON_ONE_SOCKET, 'sh', ...argv], {
      cwd: '/',
      env: env as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    const end = () => child.kill('SIGKILL')
    signal.addEventListener('abort', end, { once: true })
    const hasSpoken = await carry(child.stdio[3] as Socket, socketPath)
    signal.removeEventListener('abort', end)
    // Once the bridge has worked, only the subject can have ended it, and has cut itself off.
    if (hasSpoken) return
    await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
  }
}

/** Forwards the bridge's data until it ends. Returns whether it sent anything. */
async function carry(pipe: Socket, socketPath: string): Promise<boolean> {
  pipe.on('error', () => {})
  const closed = once(pipe, 'close')
  await Promise.race([once(pipe, 'readable'), closed])
  if (pipe.readableLength > 0) {
    const settings = { initialWindowSize: 1 << 20, maxConcurrentStreams: MAX_CONNECTIONS }
    connectStreams(performServerHandshake(pipe, { settings }), socketPath)
    await closed
    return true
  }
  pipe.destroy()
  await closed
  return false
}

/** Each stream of the session is one connection to the gateway. */
function connectStreams(session: ServerHttp2Session, socketPath: string): void {
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

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { performServerHandshake, type ServerHttp2Session } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GatewaySocket, INSIDE_GATEWAY, INSIDE_PROOFBOARD } from '../isolation.ts'
import { INSIDE_NODE_PROGRAM } from '../node-mounts.ts'

/** Pause before the container is asked again whether it runs, and when it never will. */
const RETRY_MS = 50
const MAX_WAIT_MS = 60_000
/** Connections of one subject at a time. */
const MAX_CONNECTIONS = 512

/** One socket for both directions: HTTP/2 of node breaks on a pair of pipes. */
const ON_ONE_SOCKET = 'exec "$@" 0<&3 1>&3 3<&-'

/**
 * Opens the way from a container to the gateway, as soon as the container runs: the bridge inside is started by
 * `docker exec`, and its stdin and stdout carry every connection. A socket of this machine is never mounted, because the
 * kernel of a container may be another one. Ends with the container, or at `signal`.
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
    // Once it has worked, only its subject ends it, which has cut itself off.
    if (hasSpoken) return
    await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
  }
}

/** Passes on what comes from the bridge until it ends. Returns whether it ever spoke. */
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

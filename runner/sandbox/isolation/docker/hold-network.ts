import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { dockerEnv, LABEL } from './docker-client.ts'
import { labelArgv } from './sweep-containers.ts'

/** A network with nothing but its own loopback, for one program at a time. */
export type HeldNetwork = {
  /** The value of `--network`. */
  name: string
  /** Offers it to the next program; `isClean` false = something may still run in it, and it is closed. */
  giveBack: (isClean: boolean) => void
}

/** The container ends with its stdin, which closes when this process ends in whatever way. */
const WAIT = 'echo ready; read -r _'

const MAX_IDLE_MS = 30_000

type Holder = {
  name: string
  /** False if it could not be started. */
  ready: Promise<boolean>
  isRunning: () => boolean
  close: () => void
  unusedTimer?: NodeJS.Timeout
}

const idle: Holder[] = []

/**
 * Lends the network of a container that waits, of any image with a shell. For each new network docker starts a program of
 * its own, which takes longer than the rest of a container, so programs use it one after the other. Returns null if it
 * cannot be started.
 */
export async function holdNetwork(image: string): Promise<HeldNetwork | null> {
  const holder = takeRunning() ?? startHolder(image)
  if (!(await holder.ready)) return null
  return {
    name: `container:${holder.name}`,
    giveBack: (isClean) => {
      if (!isClean) return holder.close()
      idle.push(holder)
      holder.unusedTimer = setTimeout(() => {
        idle.splice(idle.indexOf(holder), 1)
        holder.close()
      }, MAX_IDLE_MS).unref()
    },
  }
}

function takeRunning(): Holder | undefined {
  for (let holder = idle.pop(); holder !== undefined; holder = idle.pop()) {
    clearTimeout(holder.unusedTimer)
    if (holder.isRunning()) return holder
  }
  return undefined
}

function startHolder(image: string): Holder {
  const name = `proofboard-network-${randomBytes(12).toString('hex')}`
  const args = [
    ...['run', '--rm', '--interactive', '--pull=never', `--name=${name}`],
    ...[...labelArgv('network'), `--label=${LABEL.network}=1`],
    // Programs in this network take over its host name.
    ...['--network=none', '--hostname=proofboard', '--read-only', '--cap-drop=ALL'],
    ...['--security-opt=no-new-privileges', '--user=65534:65534', '--log-driver=none'],
    ...['--pids-limit=8', '--entrypoint=/bin/sh', image, '-c', WAIT],
  ]
  const child = spawn('docker', args, {
    cwd: '/',
    env: dockerEnv() as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  const ready = Promise.race([
    once(child.stdout, 'data').then(() => true),
    once(child, 'close').then(() => false),
  ])
    .catch(() => false)
    .finally(() => {
      // From then on it does not keep this process running.
      child.stdout.destroy()
      child.unref()
    })
  return {
    name,
    ready,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    close: () => void child.stdin.end(),
  }
}

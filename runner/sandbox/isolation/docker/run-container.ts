import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxState } from '../../process/run-process.ts'
import { RUN_VARIABLE } from '../../process/start-guard.ts'
import {
  type EncloseRequest,
  type Enclosure,
  type GatewaySocket,
  INSIDE_GATEWAY,
  INSIDE_PROOFBOARD,
  type Mount,
} from '../isolation.ts'
import { carryConnections, onOneSocket } from './carry-connections.ts'
import { docker, dockerEnv } from './docker-client.ts'
import type { HeldNetwork } from './hold-network.ts'
import { bind, bindReadOnly, limitArgv } from './run-options.ts'
import { labelArgv } from './sweep-containers.ts'

type ContainerRun = {
  name: string
  image: string
  envFile: string
  /** A network that is given back at the end; null = none is lent. */
  held: HeldNetwork | null
  /** Further options of `docker run`: network, user, what it may do. */
  options: readonly string[]
  mounts: readonly Mount[]
  workdir: string
  /** The program that the entrance starts, and its arguments. */
  words: readonly string[]
}

/** Returns the `docker run` of one program behind the entrance, and how all of it is asked, inspected and ended. */
export function runContainer(
  { gateway, limits, runMark }: EncloseRequest,
  { name, image, envFile, held, options, mounts, workdir, words }: ContainerRun,
): Enclosure {
  const argv = [
    ...['docker', 'run', '--pull=never', `--name=${name}`, ...labelArgv(runMark)],
    ...(gateway ? ['--interactive'] : []),
    // Proofboard stores the subject's output, capped; the daemon would store all of it.
    ...['--security-opt=no-new-privileges', '--log-driver=none', ...options, ...limitArgv(limits)],
    ...mounts.map(({ host, inside, writable }) =>
      writable ? bind(host, inside) : bindReadOnly(host, inside),
    ),
    ...[`--env-file=${envFile}`, `--workdir=${workdir}`, '--entrypoint=/bin/sh'],
    ...[image, `${INSIDE_PROOFBOARD}/enter.sh`],
    ...[gateway ? String(INSIDE_GATEWAY.port) : '-', '-', ...words],
  ]
  return {
    ...withGateway(argv, gateway),
    env: containerEnv(runMark),
    cwd: '/',
    stdin: null,
    holdsSubject: true,
    askToEnd: () => askContainer(name),
    inspect: () => inspectContainer(name),
    end: async () => {
      const isGone = await removeContainer(name)
      held?.giveBack(isGone)
      return isGone
    },
  }
}

/** The part of an enclosure that reaches the gateway. */
function withGateway(
  argv: string[],
  gateway: GatewaySocket | null,
): Pick<Enclosure, 'command' | 'carry'> {
  if (gateway === null) return { command: argv }
  return { command: onOneSocket(argv), carry: (pipe) => carryConnections(pipe, gateway) }
}

/** Environment of the docker program, with the run's mark. */
export function containerEnv(runMark: string): Record<string, string> {
  return { ...dockerEnv(), [RUN_VARIABLE]: runMark }
}

/** Asks the programs of a container, which this machine may not see, to end. The entrance waits for them. */
async function askContainer(name: string, isSeen = process.platform === 'linux'): Promise<void> {
  if (!isSeen) await docker(['exec', name, '/bin/sh', '-c', 'kill -s TERM -- -1'])
}

/** Docker reads one variable per line and supports no quotes. */
export async function writeEnvFile(path: string, env: Record<string, string>): Promise<void> {
  const broken = Object.entries(env).find(([name, value]) => /[\n\r]/.test(name + value))
  if (broken)
    throw new Error(
      `${broken[0]} contains a line break, which a container cannot be given: leave it out`,
    )
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
  await rm(path, { force: true })
  await writeFile(path, lines.join(''), { mode: 0o600 })
}

/** Reads the state of a container that ended. If the daemon does not know it, it never started. */
async function inspectContainer(name: string): Promise<SandboxState> {
  const format = '{{.State.StartedAt}} {{.State.OOMKilled}}'
  const { code, stdout } = await docker(['container', 'inspect', '--format', format, name])
  const [startedAt = '', isKilled] = stdout.trim().split(' ')
  const hasStarted = code === 0 && !startedAt.startsWith('0001-')
  return { hasStarted, isOutOfMemory: isKilled === 'true' }
}

/**
 * Kills and removes a container. A missing one is looked for again for two seconds, since the daemon may still be making
 * it for a program that was killed. Returns whether it is gone.
 */
export async function removeContainer(name: string): Promise<boolean> {
  let isMissing = false
  for (let round = 0; round < 20; round++) {
    const removed = await docker(['rm', '--force', '--volumes', name])
    // Newer clients also end with 0 for a missing container, but then print no name.
    if (removed.code === 0 && removed.stdout.trim() !== '') return true
    const left = await docker(['ps', '--all', '--quiet', '--filter', `name=^/${name}$`])
    isMissing = left.code === 0 && left.stdout.trim() === ''
    await sleep(100)
  }
  return isMissing
}

import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Digest } from '#lib/domain/digest/index.ts'
import { isRunnerError } from '../../../runner-error.ts'
import { nodeProgram } from '../../process/node-program.ts'
import { MARKER_VARIABLE } from '../../process/process-tree.ts'
import type { SandboxState } from '../../process/run-process.ts'
import { RUN_VARIABLE } from '../../process/start-guard.ts'
import { allocateUser, giveFolder } from '../allocate-sandbox-uid.ts'
import { createSandboxFiles, type SandboxFiles, writeStdin } from '../create-sandbox-files.ts'
import type { EncloseRequest, Enclosure, GatewaySocket, Isolation } from '../isolation.ts'
import {
  INSIDE,
  INSIDE_GATEWAY,
  INSIDE_PATH,
  INSIDE_PROOFBOARD,
  insideProgram,
} from '../isolation.ts'
import { probeNode, probeProgram } from '../run-enclosed.ts'
import { carryConnections, onOneSocket } from './carry-connections.ts'
import { type Daemon, docker, dockerEnv, findDaemon, LABEL, lastWord } from './docker-client.ts'
import { holdNetwork } from './hold-network.ts'
import { makeRunImage } from './run-image.ts'
import { bind, bindReadOnly, limitArgv, networkArgv } from './run-options.ts'
import { runnerLabels, sweepContainers, sweepImages } from './sweep-containers.ts'

const WHAT = 'the image of "proofboard image build"'

/**
 * One container per program: an image by digest with node and the agent, no network but a bridge to the gateway,
 * removed at every ending. It sees only the attempt's folders of this machine, which may therefore be another operating
 * system.
 */
export function createDocker(): Isolation {
  let known: Daemon | null = null
  /** The image of the run's agent; null = nothing is installed for the subject. */
  let prepared: Digest | null = null
  const daemon = async () => {
    if (known === null) {
      const found = await findDaemon()
      if (!found.ok) throw new Error(found.refusal)
      known = found.daemon
    }
    return known
  }
  return {
    level: 'docker',
    available: async () => {
      const found = await findDaemon()
      if (!found.ok) return found.refusal
      // The image stays the same during a run, even if another one is built meanwhile.
      const chosen = known ?? found.daemon
      const refusal = await tryOne(chosen)
      if (refusal === null) known = chosen
      return refusal
    },
    record: async () => {
      const { version, image } = await daemon()
      const digest = prepared ?? (await makeRunImage(image, [], WHAT))
      return { isolation: 'docker', containerImageDigest: digest, tools: { docker: version } }
    },
    prepare: async (programs, command) => {
      const chosen = await daemon()
      prepared = await makeRunImage(chosen.image, programs, WHAT)
      const probe = await probeProgram((request) => enclose(request, chosen, PROBE), {
        command,
        programs,
      })
      return probe.code === 0 ? null : `does not start in a container (“${lastWord(probe)}”)`
    },
    inside: () => INSIDE,
    programPath: insideProgram,
    path: INSIDE_PATH,
    gatewayPort: () => INSIDE_GATEWAY.port,
    ownFailure: null,
    enclose: async (request) => enclose(request, await daemon()),
    lastWords: (runMark) => ({
      argv: ['/bin/sh', '-c', REMOVE_ALL, 'sh', `label=${LABEL.run}=${runMark}`],
      env: dockerEnv(),
    }),
    sweep: async () => {
      await sweepContainers()
      await sweepImages()
    },
  }
}

/** Shell commands that remove all containers, networks and volumes with a label, given as the first argument. */
export const REMOVE_ALL = `
ids=$(docker ps --all --quiet --filter "$1"); [ -z "$ids" ] || docker rm --force --volumes $ids
for kind in network volume; do
  ids=$(docker $kind ls --quiet --filter "$1"); [ -z "$ids" ] || docker $kind rm $ids
done`

/** No guard watches a probe, so docker itself removes the container, also after the runner is killed. */
const PROBE = { isProbe: true }

async function enclose(
  request: EncloseRequest,
  daemon: Daemon,
  { isProbe } = { isProbe: false },
): Promise<Enclosure> {
  const { places, folder, gateway, runMark } = request
  // Cached, except for the first program of a run.
  const image = await makeRunImage(daemon.image, request.programs, WHAT)
  const allocated = allocateUser()
  const user = daemon.rootless ? { uid: 0, gid: 0 } : allocated
  const sandboxFiles = await createSandboxFiles(join(folder, 'sandbox'), user)
  await writeStdin(sandboxFiles, request.stdin)
  const sharedMemory = join(folder, 'shm')
  await mkdir(sharedMemory, { recursive: true })
  for (const path of [...Object.values(places), sharedMemory]) await giveFolder(path, user)
  const envFile = join(sandboxFiles.folder, 'env')
  // The marker on the container's first process identifies the tree of all its processes.
  await writeEnvFile(envFile, { ...request.env, [MARKER_VARIABLE]: request.marker })
  const name = `proofboard-${randomBytes(12).toString('hex')}`
  const held = request.network || isProbe ? null : await holdNetwork(image)
  const argv = dockerArgv({
    request,
    options: [...(isProbe ? ['--rm'] : []), ...networkArgv(request, held)],
    sandboxFiles,
    sharedMemory,
    envFile,
    user,
    image,
    name,
    labels: runnerLabels(runMark),
  })
  return {
    ...withGateway(argv, gateway),
    env: containerEnv(runMark),
    cwd: '/',
    stdin: null,
    holdsSubject: true,
    askToEnd: () => askContainer(name),
    inspect: () => inspectContainer(name),
    end: async () => {
      allocated.giveBack()
      const isGone = await removeContainer(name)
      held?.giveBack(isGone)
      return isGone
    },
  }
}

/** The part of an enclosure that reaches the gateway. */
export function withGateway(
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
export async function askContainer(
  name: string,
  isSeen = process.platform === 'linux',
): Promise<void> {
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
export async function inspectContainer(name: string): Promise<SandboxState> {
  const format = '{{.State.StartedAt}} {{.State.OOMKilled}}'
  const { code, stdout } = await docker(['container', 'inspect', '--format', format, name])
  const [startedAt = '', isKilled] = stdout.trim().split(' ')
  const hasStarted = code === 0 && !startedAt.startsWith('0001-')
  return { hasStarted, isOutOfMemory: isKilled === 'true' }
}

/** Kills and removes a container. If that fails, checks whether it is gone: a guard may remove it at the same time. */
export async function removeContainer(name: string): Promise<boolean> {
  for (let round = 0; round < 20; round++) {
    const removed = await docker(['rm', '--force', '--volumes', name])
    if (removed.code === 0) return true
    const left = await docker(['ps', '--all', '--quiet', '--filter', `name=^/${name}$`])
    if (left.code === 0 && left.stdout.trim() === '') return true
    await sleep(100)
  }
  return false
}

async function tryOne(daemon: Daemon): Promise<string | null> {
  try {
    await makeRunImage(daemon.image, [], WHAT)
  } catch (error) {
    if (!isRunnerError(error)) throw error
    return error.message
  }
  const probe = await probeNode((request) => enclose(request, daemon, PROBE))
  if (probe.code === 0 && probe.stdout.trim() === nodeProgram().version) return null
  return `a container cannot start node with folders of this machine ("${lastWord(probe)}"): build the image again with "proofboard image build", and share the temporary folder with docker (TMPDIR)`
}

type ContainerParts = {
  request: EncloseRequest
  options: readonly string[]
  sandboxFiles: SandboxFiles
  sharedMemory: string
  envFile: string
  user: { uid: number; gid: number }
  image: string
  name: string
  labels: Record<string, string>
}

/** The complete `docker run`: image by digest, isolation, limits, mounts, entrance, subject. */
function dockerArgv(parts: ContainerParts): string[] {
  const { request, options, image, name, labels, envFile } = parts
  const { command, gateway } = request
  const words = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
  return [
    'docker',
    'run',
    '--pull=never',
    ...options,
    ...(gateway ? ['--interactive'] : []),
    `--name=${name}`,
    ...Object.entries(labels).map(([label, value]) => `--label=${label}=${value}`),
    ...isolationArgs(parts),
    ...limitArgv(request.limits),
    ...mounts(parts),
    `--env-file=${envFile}`,
    `--workdir=${INSIDE.workspace}`,
    '--entrypoint=/bin/sh',
    image,
    `${INSIDE_PROOFBOARD}/enter.sh`,
    ...[gateway ? String(INSIDE_GATEWAY.port) : '-', '-', ...words],
  ]
}

function isolationArgs({ user }: ContainerParts): string[] {
  return [
    '--read-only',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    `--user=${user.uid}:${user.gid}`,
    // Proofboard stores the subject's output, capped; the daemon would store all of it.
    '--log-driver=none',
  ]
}

/** Files of `/etc` for name resolution; with a network, docker's own. */
const NAMES = new Set(['hosts', 'resolv.conf', 'nsswitch.conf'])

/** The attempt's folders and the files written for it. */
function mounts({ request, sandboxFiles, sharedMemory }: ContainerParts): string[] {
  const { places } = request
  return [
    bind(places.workspace, INSIDE.workspace),
    bind(places.home, INSIDE.home),
    bind(places.temporary, INSIDE.temporary),
    bind(sharedMemory, '/dev/shm'),
    ...Object.entries(sandboxFiles.etc)
      .filter(([name]) => !(request.network && NAMES.has(name)))
      .map(([name, path]) => bindReadOnly(path, `/etc/${name}`)),
    bindReadOnly(sandboxFiles.programs, INSIDE_PROOFBOARD),
  ]
}

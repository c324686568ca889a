import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Digest } from '#lib/domain/digest/index.ts'
import { isRunnerError } from '../../../runner-error.ts'
import { nodeProgram } from '../../process/node-program.ts'
import { MARKER_VARIABLE } from '../../process/process-tree.ts'
import { toArgv } from '../../process/run-tool.ts'
import { allocateUser, giveFolder } from '../allocate-sandbox-uid.ts'
import {
  createSandboxFiles,
  RESOLVING,
  type SandboxFiles,
  writeStdin,
} from '../create-sandbox-files.ts'
import type { EncloseRequest, Enclosure, Isolation, Mount } from '../isolation.ts'
import {
  INSIDE,
  INSIDE_GATEWAY,
  INSIDE_PATH,
  INSIDE_PROOFBOARD,
  insideProgram,
} from '../isolation.ts'
import { probeNode, probeProgram } from '../run-enclosed.ts'
import { type Daemon, dockerEnv, findDaemon, LABEL, lastWord } from './docker-client.ts'
import { holdNetwork } from './hold-network.ts'
import { runContainer, writeEnvFile } from './run-container.ts'
import { makeRunImage } from './run-image.ts'
import { networkArgv } from './run-options.ts'
import { sweepContainers, sweepImages } from './sweep-containers.ts'

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
    cleanup: (runMark) => ({
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
  const { places, folder } = request
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
  const enclosure = runContainer(request, {
    name,
    image,
    envFile,
    held,
    options: [
      ...(isProbe ? ['--rm'] : []),
      ...networkArgv(request, held),
      ...['--read-only', '--cap-drop=ALL', `--user=${user.uid}:${user.gid}`],
    ],
    mounts: listMounts(request, sandboxFiles, sharedMemory),
    workdir: INSIDE.workspace,
    words: toArgv(request.command),
  })
  return {
    ...enclosure,
    end: async () => {
      allocated.giveBack()
      return enclosure.end()
    },
  }
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

/** The attempt's folders and the files written for it. */
function listMounts(
  { places, network }: EncloseRequest,
  { etc, programs }: SandboxFiles,
  sharedMemory: string,
): Mount[] {
  return [
    { host: places.workspace, inside: INSIDE.workspace, writable: true },
    { host: places.home, inside: INSIDE.home, writable: true },
    { host: places.temporary, inside: INSIDE.temporary, writable: true },
    { host: sharedMemory, inside: '/dev/shm', writable: true },
    ...Object.entries(etc)
      .filter(([name]) => !(network && RESOLVING.has(name)))
      .map(([name, host]) => ({ host, inside: `/etc/${name}`, writable: false })),
    { host: programs, inside: INSIDE_PROOFBOARD, writable: false },
  ]
}

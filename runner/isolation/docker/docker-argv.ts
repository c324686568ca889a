import { INSIDE, INSIDE_GATEWAY, INSIDE_HOUSE, insideProgram } from '../inside-paths.ts'
import type { EncloseRequest } from '../isolation.ts'
import type { House } from '../lay-house.ts'

export type ContainerParts = {
  request: EncloseRequest
  house: House
  sharedMemory: string
  envFile: string
  user: { uid: number; gid: number }
  image: string
  name: string
  labels: Record<string, string>
  node: { host: string; inside: string }
}

/** The whole `docker run`: an image by digest, walls, limits, mounts, our entrance, the subject. */
export function dockerArgv(parts: ContainerParts): string[] {
  const { request, image, name, labels, envFile } = parts
  const { command, gateway } = request
  const words = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
  return [
    'docker',
    'run',
    '--rm',
    '--pull=never',
    ...(request.readsStdin ? ['--interactive'] : []),
    `--name=${name}`,
    ...Object.entries(labels).map(([label, value]) => `--label=${label}=${value}`),
    ...walls(parts),
    ...limits(request.limits),
    ...mounts(parts),
    `--env-file=${envFile}`,
    `--workdir=${INSIDE.workspace}`,
    '--entrypoint=/bin/sh',
    image,
    `${INSIDE_HOUSE}/enter.sh`,
    gateway ? String(INSIDE_GATEWAY.port) : '-',
    INSIDE_GATEWAY.socketPath,
    ...words,
  ]
}

function walls({ user }: ContainerParts): string[] {
  return [
    '--network=none',
    '--read-only',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    `--user=${user.uid}:${user.gid}`,
    '--hostname=proofboard',
    // The subject's output is kept by us, capped; the daemon would keep all of it.
    '--log-driver=none',
  ]
}

function limits({
  maxThreads,
  memoryBytes,
  cpus,
  diskQuotaBytes,
}: EncloseRequest['limits']): string[] {
  return [
    `--pids-limit=${maxThreads}`,
    `--memory=${memoryBytes}`,
    `--memory-swap=${memoryBytes}`,
    `--cpus=${cpus}`,
    `--ulimit=fsize=${diskQuotaBytes}`,
    '--ulimit=core=0',
  ]
}

/** The runner's own node and the agent's program are mounted, so that every level runs the same files. */
function mounts({ request, house, sharedMemory, node }: ContainerParts): string[] {
  const { places, programs, gateway } = request
  return [
    bind(places.workspace, INSIDE.workspace),
    bind(places.home, INSIDE.home),
    bind(places.temporary, INSIDE.temporary),
    bind(sharedMemory, '/dev/shm'),
    ...Object.entries(house.etc).map(([name, path]) => readOnly(path, `/etc/${name}`)),
    readOnly(house.programs, INSIDE_HOUSE),
    readOnly(node.host, node.inside),
    ...programs.map((program) => readOnly(program.host, insideProgram(program))),
    ...(gateway ? [readOnly(gateway.socketPath, INSIDE_GATEWAY.socketPath)] : []),
  ]
}

/** One `--mount`, which docker reads as a line of CSV: a path may hold commas and quotes. */
function bind(host: string, inside: string): string {
  const source = `source=${host}`.replaceAll('"', '""')
  return `--mount=type=bind,"${source}",target=${inside}`
}

function readOnly(host: string, inside: string): string {
  return `${bind(host, inside)},readonly`
}

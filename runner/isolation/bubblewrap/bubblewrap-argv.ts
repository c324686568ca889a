import { dirname } from 'node:path'
import { INSIDE, INSIDE_GATEWAY, INSIDE_HOUSE, insideProgram } from '../inside-paths.ts'
import type { EncloseRequest } from '../isolation.ts'
import type { House } from '../lay-house.ts'
import { systemMounts } from './system-mounts.ts'

export type BubblewrapParts = {
  request: EncloseRequest
  house: House
  /** A writable folder for shared memory, counted like the subject's other folders. */
  sharedMemory: string
  user: { uid: number; gid: number }
  /** Whether the runner is root, and the subject therefore a user lent for this sandbox. */
  lent: boolean
  node: { host: string; inside: string }
}

/**
 * What bwrap reads as its arguments: walls, mounts, the environment. They are handed over in a file, because command
 * lines can be read by every user of a machine, and by the subject itself: bwrap is the first process it sees.
 */
export function bubblewrapArgs(parts: BubblewrapParts): string[] {
  const { request, user, lent } = parts
  return [
    ...walls(user, lent),
    // Made on the way to a mount they would be bwrap's own, closed to the lent user.
    ...[...FOLDERS, ...request.programs.map((program) => dirname(insideProgram(program)))].flatMap(
      (path) => ['--dir', path],
    ),
    ...systemMounts(),
    ...ownMounts(parts),
    '--clearenv',
    ...Object.entries(request.env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    INSIDE.workspace,
  ]
}

/** What starts inside: our limits and our entrance, then the subject. */
export function insideArgv({ request, user, lent }: BubblewrapParts): string[] {
  const { command, gateway, limits } = request
  const words = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
  return [
    ...(lent ? dropRoot(user.uid) : []),
    ...limitArgv(limits),
    '/bin/sh',
    `${INSIDE_HOUSE}/enter.sh`,
    gateway ? String(INSIDE_GATEWAY.port) : '-',
    INSIDE_GATEWAY.socketPath,
    ...words,
  ]
}

const FOLDERS = ['/etc', '/etc/pki', '/etc/pki/tls', '/etc/ssl', '/home', '/opt', '/run']

/**
 * A user's sandbox has a user namespace of its own. Root's has none: there, root drops to a user that owns nothing
 * on this machine, which is further from root than root in a namespace, and whose processes the kernel counts.
 */
function walls({ uid, gid }: { uid: number; gid: number }, lent: boolean): string[] {
  const kept = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name])
  return [
    ...(lent
      ? ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try']
      : ['--unshare-all', '--uid', String(uid), '--gid', String(gid)]),
    '--cap-drop',
    'ALL',
    ...(lent ? kept : []),
    '--die-with-parent',
    '--new-session',
    '--hostname',
    'proofboard',
  ]
}

function ownMounts({ request, house, sharedMemory, node }: BubblewrapParts): string[] {
  const { places, programs, gateway } = request
  const readOnly = (host: string, inside: string) => ['--ro-bind', host, inside]
  return [
    ...Object.entries(house.etc).flatMap(([name, path]) => readOnly(path, `/etc/${name}`)),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--bind',
    sharedMemory,
    '/dev/shm',
    '--remount-ro',
    '/dev',
    '--bind',
    places.workspace,
    INSIDE.workspace,
    '--bind',
    places.home,
    INSIDE.home,
    '--bind',
    places.temporary,
    INSIDE.temporary,
    ...readOnly(house.programs, INSIDE_HOUSE),
    ...readOnly(node.host, node.inside),
    ...programs.flatMap((program) => readOnly(program.host, insideProgram(program))),
    ...(gateway ? readOnly(gateway.socketPath, INSIDE_GATEWAY.socketPath) : []),
    // What is left is bwrap's own root in memory: not a place to fill.
    '--remount-ro',
    '/',
  ]
}

function dropRoot(uid: number): string[] {
  const name = String(uid)
  return [
    'setpriv',
    '--reuid',
    name,
    '--regid',
    name,
    '--clear-groups',
    '--inh-caps=-all',
    '--bounding-set=-all',
    '--',
  ]
}

/** File size and core dumps are limited by whoever starts bwrap; these two have to be set inside, for the lent user. */
function limitArgv({ maxThreads, memoryBytes }: EncloseRequest['limits']): string[] {
  return [
    'prlimit',
    `--nproc=${maxThreads}:${maxThreads}`,
    `--data=${memoryBytes}:${memoryBytes}`,
    '--',
  ]
}

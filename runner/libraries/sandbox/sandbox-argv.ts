import { dirname, join } from 'node:path'
import { systemMounts } from '../../isolation/bubblewrap/system-mounts.ts'
import type { EncloseRequest } from '../../isolation/isolation.ts'
import { insideSocket, type LibrarySight } from './library-sight.ts'

export type SandboxParts = {
  request: EncloseRequest
  sight: LibrarySight
  sharedMemory: string
  user: { uid: number; gid: number }
  /** Whether the runner is root, and the library therefore a user lent for this sandbox. */
  lent: boolean
  etc: Readonly<Record<string, string>>
  node: { host: string; inside: string }
  packages: string
  project: string
}

/** Made on the way to a mount they would be bwrap's own, closed to the lent user. */
const FOLDERS = ['/etc', '/etc/pki', '/etc/pki/tls', '/etc/ssl', '/opt', '/run']

/** What bwrap reads as its arguments: namespaces, mounts, the environment. */
export function sandboxArgs(parts: SandboxParts): string[] {
  const { request, user, lent } = parts
  return [
    ...namespaces(user, lent),
    ...FOLDERS.flatMap((path) => ['--dir', path]),
    ...systemMounts(),
    ...['--proc', '/proc', '--dev', '/dev', '--bind', parts.sharedMemory, '/dev/shm'],
    ...['--remount-ro', '/dev', '--perms', '1777', '--tmpfs', '/tmp'],
    ...mounts(parts),
    '--clearenv',
    ...Object.entries(request.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', request.places.workspace],
  ]
}

/** What starts inside: our limits, then the library's process. */
export function sandboxCommand({ request, user, lent }: SandboxParts): string[] {
  const { command, limits } = request
  const words = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
  const id = String(user.uid)
  const drop = ['--reuid', id, '--regid', id, '--clear-groups', '--inh-caps=-all']
  return [
    ...(lent ? ['setpriv', ...drop, '--bounding-set=-all', '--'] : []),
    ...['prlimit', `--nproc=${limits.maxThreads}:${limits.maxThreads}`],
    ...[`--data=${limits.memoryBytes}:${limits.memoryBytes}`, '--', ...words],
  ]
}

/** No network of the machine, none of its processes: the doors are files. */
function namespaces({ uid, gid }: { uid: number; gid: number }, lent: boolean): string[] {
  const kept = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name])
  const own = ['ipc', 'pid', 'net', 'uts', 'cgroup-try'].map((name) => `--unshare-${name}`)
  return [
    ...(lent ? own : ['--unshare-all', '--uid', String(uid), '--gid', String(gid)]),
    ...['--cap-drop', 'ALL', ...(lent ? kept : [])],
    ...['--die-with-parent', '--new-session', '--hostname', 'proofboard'],
  ]
}

function mounts(parts: SandboxParts): string[] {
  const { request, sight, etc, node, packages, project } = parts
  const writable = Object.values(request.places)
  const readable = [join(project, 'package.json'), ...sight.shown]
  const cache = join(packages, '.cache')
  const sockets = sight.doors.map((door) => [door.socketPath, insideSocket(door)] as const)
  return [
    ...Object.entries(etc).flatMap(([name, path]) => ['--ro-bind', path, `/etc/${name}`]),
    ...parents([...writable, ...readable, packages, node.inside, join(project, 'exercises', '-')]),
    ...['--ro-bind', packages, packages],
    // Bundles of every task's driver lie in the cache: only those of this episode are shown.
    ...['--tmpfs', cache],
    ...parents(readable.filter((path) => path.startsWith(`${cache}/`))),
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', node.host, node.inside, '--dir', '/run/doors'],
    ...sockets.flatMap(([outside, inside]) => ['--ro-bind', outside, inside]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...['--remount-ro', cache, '--remount-ro', '/'],
  ]
}

function parents(paths: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const path of paths)
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
      folders.add(folder)
  return [...folders].sort().flatMap((folder) => ['--dir', folder])
}

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CACHE, MODULES, PACKAGE } from '#lib/setup/layout.mjs'
import {
  allocateUser,
  giveMount,
  openSocket,
} from '../../sandbox/isolation/allocate-sandbox-uid.ts'
import { bubblewrap } from '../../sandbox/isolation/bubblewrap.ts'
import { createSandboxFiles } from '../../sandbox/isolation/create-sandbox-files.ts'
import {
  type EncloseRequest,
  type Enclosure,
  INSIDE_GATEWAY,
  type Isolation,
} from '../../sandbox/isolation/isolation.ts'
import { findNode, systemMounts } from '../../sandbox/isolation/system-mounts.ts'
import { RUN_VARIABLE } from '../../sandbox/process/start-guard.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import type { ForwardedSocket } from '../host-protocol.ts'

const TOOL_ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
/** The user id inside for a library of an ordinary user: the runner's own user under another number. */
const INSIDE_USER = { uid: 1000, gid: 1000 }
const START = 'umask 022; exec bwrap --args 3 -- "$@" 3<"$0"'

/** Null = the sandbox for libraries works here; else one sentence that says why not. */
export async function whyNoSandbox(
  own: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (own.PROOFBOARD_LIBRARY_SANDBOX === 'none') return 'PROOFBOARD_LIBRARY_SANDBOX is none'
  return bubblewrap.available()
}

/**
 * Isolates a library's process from every network but a few sockets of the harness, and from every file but its own
 * folders, the system and this project's packages. Paths are the same inside and outside, because the browser, which is
 * not in here, gets the paths of its files from the library.
 */
export function librarySandbox(sight: LibrarySight): Isolation {
  return {
    ...bubblewrap,
    inside: (places) => places,
    programPath: ({ host }) => host,
    gatewayPort: () => INSIDE_GATEWAY.port,
    enclose: (request) => enclose(request, sight),
  }
}

async function enclose(request: EncloseRequest, sight: LibrarySight): Promise<Enclosure> {
  const { places, folder } = request
  const user = allocateUser()
  const lent = process.getuid?.() === 0
  const insideUser = lent ? user : INSIDE_USER
  const sandboxFiles = await createSandboxFiles(join(folder, 'sandbox'), insideUser)
  const sharedMemory = join(folder, 'shm')
  await mkdir(sharedMemory, { recursive: true })
  for (const path of [...Object.values(places), sharedMemory]) await giveMount(path, user)
  if (request.gateway) await openSocket(request.gateway)
  const parts: SandboxParts = {
    ...{ request, sight, sharedMemory, lent },
    user: insideUser,
    etc: sandboxFiles.etc,
    node: findNode(),
    packages: MODULES,
    project: PROJECT_ROOT,
  }
  const argsFile = join(sandboxFiles.folder, 'bwrap-args')
  await rm(argsFile, { force: true })
  await writeFile(argsFile, sandboxArgs(parts).join('\0'), { mode: 0o600 })
  return {
    command: ['/bin/sh', '-c', START, argsFile, ...sandboxCommand(parts)],
    env: { ...TOOL_ENV, [RUN_VARIABLE]: request.runMark },
    cwd: dirname(argsFile),
    holdsSubject: true,
    end: async () => {
      user.giveBack()
      return true
    },
  }
}

type SandboxParts = {
  request: EncloseRequest
  sight: LibrarySight
  sharedMemory: string
  user: { uid: number; gid: number }
  /** Whether the runner is root, so that the library gets a user allocated for this sandbox. */
  lent: boolean
  etc: Readonly<Record<string, string>>
  node: { host: string; inside: string }
  packages: string
  project: string
}

/** Made on the way to a mount they would belong to bwrap, closed to the allocated user. */
const FOLDERS = ['/etc', '/etc/pki', '/etc/pki/tls', '/etc/ssl', '/opt', '/run']

/** What bwrap reads as its arguments: namespaces, mounts, the environment. */
function sandboxArgs(parts: SandboxParts): string[] {
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
function sandboxCommand({ request, user, lent }: SandboxParts): string[] {
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

/** No network of the machine, none of its processes: the sockets are files. */
function namespaces({ uid, gid }: { uid: number; gid: number }, lent: boolean): string[] {
  const capabilities = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => [
    '--cap-add',
    name,
  ])
  const own = ['ipc', 'pid', 'net', 'uts', 'cgroup-try'].map((name) => `--unshare-${name}`)
  return [
    ...(lent ? own : ['--unshare-all', '--uid', String(uid), '--gid', String(gid)]),
    ...['--cap-drop', 'ALL', ...(lent ? capabilities : [])],
    ...['--die-with-parent', '--new-session', '--hostname', 'proofboard'],
  ]
}

function mounts(parts: SandboxParts): string[] {
  const { request, sight, etc, node, packages, project } = parts
  const writable = Object.values(request.places)
  const readable = [join(project, 'package.json'), ...sight.shown]
  const hidden = PACKAGE === null ? dirname(CACHE) : project
  const own = join(hidden, 'node_modules')
  // Empty: by it our programs know the folder of the project.
  const exercises = join(project, 'exercises', '-')
  const sockets = sight.doors.map((door) => [door.socketPath, insideSocket(door)] as const)
  return [
    ...Object.entries(etc).flatMap(([name, path]) => ['--ro-bind', path, `/etc/${name}`]),
    ...parents([...writable, ...readable, packages, node.inside, exercises]),
    ...['--ro-bind', packages, packages],
    // There are bundles of every task's driver, in a package also the exercises: only those of this episode are exposed.
    ...['--tmpfs', hidden],
    ...parents([own, exercises, ...readable].filter((path) => path.startsWith(`${hidden}/`))),
    ...['--ro-bind-try', own, own],
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', node.host, node.inside, '--dir', '/run/doors'],
    ...sockets.flatMap(([outside, inside]) => ['--ro-bind', outside, inside]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...['--remount-ro', hidden, '--remount-ro', '/'],
  ]
}

function parents(paths: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const path of paths)
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
      folders.add(folder)
  return [...folders].sort().flatMap((folder) => ['--dir', folder])
}

/** What a library can see besides its own three folders, the system and the packages of this project. */
type LibrarySight = {
  /** Single files and folders, read-only, at their own paths. */
  shown: readonly string[]
  doors: readonly ForwardedSocket[]
}

/** The path of a socket inside. */
export function insideSocket({ port }: Pick<ForwardedSocket, 'port'>): string {
  return `/run/doors/${port}.sock`
}

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CACHE, MODULES, PACKAGE } from '#lib/setup/layout.mjs'
import { bubblewrap } from '../../sandbox/isolation/bubblewrap.ts'
import {
  type EncloseRequest,
  type Enclosure,
  INSIDE_GATEWAY,
  type Isolation,
} from '../../sandbox/isolation/isolation.ts'
import { nodeMountsWithNpm } from '../../sandbox/isolation/node-mounts.ts'
import {
  environmentArgs,
  folderArgs,
  limitArgv,
  namespaceArgs,
  prepareSandbox,
  type Sandbox,
  startSandbox,
} from '../../sandbox/isolation/start-bubblewrap.ts'
import { systemMounts } from '../../sandbox/isolation/system-mounts.ts'
import type { Env } from '../../sandbox/process/own-env.ts'
import { toArgv } from '../../sandbox/process/run-tool.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import type { ForwardedSocket } from '../host-protocol.ts'

/** Returns null if the sandbox for libraries works here; else one sentence with the reason. */
export async function whyNoSandbox(env: Env): Promise<string | null> {
  if (env.PROOFBOARD_LIBRARY_SANDBOX === 'none') return 'PROOFBOARD_LIBRARY_SANDBOX is none'
  return bubblewrap.available()
}

/**
 * Isolates a library's process from all networks except a few sockets of the harness, and from all files except its own
 * folders, the system and this project's packages. Paths are the same inside and outside, because the browser, which is
 * outside, gets the paths of its files from the library.
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
  const sandbox = await prepareSandbox(request, Object.values(request.places))
  return startSandbox(sandbox, {
    args: sandboxArgs(sandbox, sight),
    inside: limitArgv(sandbox, toArgv(request.command)),
  })
}

const FOLDERS = ['/etc', '/etc/pki', '/etc/pki/tls', '/etc/ssl', '/opt', '/run']

/**
 * Builds the arguments of bwrap: namespaces, mounts, the environment. No network, whatever is requested: sockets are
 * files.
 */
function sandboxArgs(sandbox: Sandbox, sight: LibrarySight): string[] {
  const { request, sharedMemory } = sandbox
  return [
    ...namespaceArgs(sandbox, { network: false }),
    ...folderArgs(FOLDERS),
    ...systemMounts(),
    ...['--proc', '/proc', '--dev', '/dev', '--bind', sharedMemory, '/dev/shm'],
    ...['--remount-ro', '/dev', '--perms', '1777', '--tmpfs', '/tmp'],
    ...mounts(sandbox, sight),
    ...environmentArgs(request.env),
    ...['--chdir', request.places.workspace],
  ]
}

function mounts({ request, files }: Sandbox, sight: LibrarySight): string[] {
  const node = nodeMountsWithNpm()
  const writable = Object.values(request.places)
  const readable = [join(PROJECT_ROOT, 'package.json'), ...sight.shown]
  const hidden = PACKAGE === null ? dirname(CACHE) : PROJECT_ROOT
  const own = join(hidden, 'node_modules')
  // Empty; by its existence our programs find the folder of the project.
  const exercises = join(PROJECT_ROOT, 'exercises', '-')
  const sockets = sight.sockets.map((one) => [one.socketPath, insideSocket(one)] as const)
  return [
    ...Object.entries(files.etc).flatMap(([name, path]) => ['--ro-bind', path, `/etc/${name}`]),
    ...parents([...writable, ...readable, MODULES, ...node.map(({ inside }) => inside), exercises]),
    ...['--ro-bind', MODULES, MODULES],
    ...clonesCache(hidden),
    // The folder contains bundles of every task's driver, in a package also the exercises: only those of this episode
    // are exposed.
    ...['--tmpfs', hidden],
    ...parents([own, exercises, ...readable].filter((path) => path.startsWith(`${hidden}/`))),
    ...['--ro-bind-try', own, own],
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    ...node.flatMap(({ host, inside }) => ['--ro-bind', host, inside]),
    ...['--dir', '/run/sockets'],
    ...sockets.flatMap(([outside, inside]) => ['--ro-bind', outside, inside]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...['--remount-ro', hidden, '--remount-ro', '/'],
  ]
}

/** If the cache is in HOME, another user's may still be in the clone. */
function clonesCache(hidden: string): string[] {
  const inClone = join(MODULES, '.cache')
  const isShown = PACKAGE === null && inClone !== hidden && existsSync(inClone)
  return isShown ? ['--tmpfs', inClone, '--remount-ro', inClone] : []
}

function parents(paths: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const path of paths)
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
      folders.add(folder)
  return folderArgs([...folders].sort())
}

/** Files that a library can see besides its own three folders, the system and the packages of this project. */
type LibrarySight = {
  /** Single files and folders, read-only, at their own paths. */
  shown: readonly string[]
  sockets: readonly ForwardedSocket[]
}

/** Returns the path of a socket inside. */
export function insideSocket({ port }: Pick<ForwardedSocket, 'port'>): string {
  return `/run/sockets/${port}.sock`
}

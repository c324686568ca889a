import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nodeProgram } from '../process/node-program.ts'
import { runTool } from '../process/run-tool.ts'
import { RUN_VARIABLE } from '../process/start-guard.ts'
import { allocateUser, giveMount, openSocket } from './allocate-sandbox-uid.ts'
import { createSandboxFiles, type SandboxFiles } from './create-sandbox-files.ts'
import type { EncloseRequest, Enclosure, Isolation } from './isolation.ts'
import {
  INSIDE,
  INSIDE_GATEWAY,
  INSIDE_PATH,
  INSIDE_PROOFBOARD,
  insideProgram,
} from './isolation.ts'
import { probeNode } from './run-enclosed.ts'
import { findNode, systemMounts } from './system-mounts.ts'
import { withoutKeyrings } from './without-keyrings.ts'

const TOOL_ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }

/** The user id inside for a subject of an ordinary user: the runner's own user under another number. */
const INSIDE_USER = { uid: 1000, gid: 1000 }

const isRoot = () => process.getuid?.() === 0

const FOLDERS = ['/etc', '/etc/pki', '/etc/pki/tls', '/etc/ssl', '/home', '/opt', '/run']

// Folders that bwrap makes on the way to its mounts must be open to the allocated user, however strict our mask is.
const START = 'umask 022; exec bwrap --seccomp 4 --args 3 -- "$@" 3<"$0" 4<"$0.filter"'

/** Switches of the kernel by which distributions close user namespaces, which bwrap needs when it is not root. */
const SWITCHES = [
  { path: '/proc/sys/kernel/unprivileged_userns_clone', closed: '0', open: '1' },
  { path: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns', closed: '1', open: '0' },
  { path: '/proc/sys/user/max_user_namespaces', closed: '0', open: '10000' },
] as const

/** Namespaces of the kernel: only the subject's folders, no network but the gateway's socket, gone as one. */
export const bubblewrap: Isolation = {
  level: 'bubblewrap',
  available: whyNot,
  record: async () => ({
    isolation: 'bubblewrap',
    containerImageDigest: null,
    tools: { bubblewrap: (await toolVersion('bwrap')) ?? 'unknown' },
  }),
  inside: () => INSIDE,
  programPath: insideProgram,
  path: INSIDE_PATH,
  gatewayPort: () => INSIDE_GATEWAY.port,
  ownFailure: 1,
  enclose,
  lastWords: () => null,
  sweep: async () => {},
}

async function enclose(request: EncloseRequest): Promise<Enclosure> {
  const { places, folder, gateway } = request
  const user = allocateUser()
  const insideUser = isRoot() ? user : INSIDE_USER
  const sandboxFiles = await createSandboxFiles(join(folder, 'sandbox'), insideUser)
  const sharedMemory = join(folder, 'shm')
  await mkdir(sharedMemory, { recursive: true })
  const writable = (request.mounts ?? []).filter((one) => one.writable).map(({ host }) => host)
  for (const path of [...Object.values(places), sharedMemory, ...writable])
    await giveMount(path, user)
  if (gateway) await openSocket(gateway)
  const parts: BubblewrapParts = {
    request,
    sandboxFiles,
    sharedMemory,
    user: insideUser,
    lent: isRoot(),
    node: findNode(),
  }
  const argsFile = join(sandboxFiles.folder, 'bwrap-args')
  await rm(argsFile, { force: true })
  await writeFile(argsFile, bubblewrapArgs(parts).join('\0'), { mode: 0o600 })
  await writeFile(`${argsFile}.filter`, withoutKeyrings())
  return {
    command: ['/bin/sh', '-c', START, argsFile, ...insideArgv(parts)],
    env: { ...TOOL_ENV, [RUN_VARIABLE]: request.runMark },
    cwd: '/',
    holdsSubject: true,
    end: async () => {
      user.giveBack()
      return true
    },
  }
}

async function toolVersion(tool: string): Promise<string | null> {
  const { code, stdout } = await runTool([tool, '--version'], { env: TOOL_ENV, timeoutMs: 10_000 })
  return code === 0 ? (/\d[\w.-]*/.exec(stdout)?.[0] ?? 'unknown') : null
}

async function whyNot(): Promise<string | null> {
  if (process.platform !== 'linux') return 'bubblewrap works on Linux only: use docker'
  const needed = [
    ['bwrap', 'bubblewrap'],
    ['prlimit', 'util-linux'],
    ['setpriv', 'util-linux'],
  ] as const
  for (const [tool, packageName] of needed) {
    if ((await toolVersion(tool)) === null)
      return `${tool} is not installed: install the package ${packageName} (apt-get install ${packageName})`
  }
  return tryOne()
}

async function tryOne(): Promise<string | null> {
  const probe = await probeNode(enclose)
  if (probe.code === 0 && probe.stdout.trim() === nodeProgram().version) return null
  if (probe.code === 127 || probe.code === 0)
    return `the node that runs proofboard cannot be started in a sandbox (${findNode().host}): use a node installed in /usr or by a version manager`
  return explainFailure(probe.stderr)
}

type BubblewrapParts = {
  request: EncloseRequest
  sandboxFiles: SandboxFiles
  /** A writable folder for shared memory, counted like the subject's other folders. */
  sharedMemory: string
  user: { uid: number; gid: number }
  /** Whether the runner is root, so that the subject gets a user allocated for this sandbox. */
  lent: boolean
  node: { host: string; inside: string }
}

/**
 * What bwrap reads as its arguments: namespaces, mounts, the environment. They are handed over in a file, because command
 * lines can be read by every user of a machine, and by the subject itself: bwrap is the first process it sees.
 */
function bubblewrapArgs(parts: BubblewrapParts): string[] {
  const { request, user, lent } = parts
  const { network = false } = request
  return [
    ...namespaceArgs(user, { lent, network }),
    // Made on the way to a mount they would belong to bwrap, closed to the allocated user.
    ...[...FOLDERS, ...request.programs.map((program) => dirname(insideProgram(program)))].flatMap(
      (path) => ['--dir', path],
    ),
    ...systemMounts(),
    ...ownMounts(parts),
    '--clearenv',
    ...Object.entries(request.env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    request.startIn ?? INSIDE.workspace,
  ]
}

/** What starts inside: our limits and our entrance, then the subject. */
function insideArgv({ request, user, lent }: BubblewrapParts): string[] {
  const { command, gateway, limits } = request
  const words = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
  return [
    ...(lent ? dropRoot(user.uid) : []),
    ...limitArgv(limits),
    '/bin/sh',
    `${INSIDE_PROOFBOARD}/enter.sh`,
    gateway ? String(INSIDE_GATEWAY.port) : '-',
    INSIDE_GATEWAY.socketPath,
    ...words,
  ]
}

/**
 * A user's sandbox has a user namespace of its own. Root's has none: there, root drops to a user that owns nothing
 * on this machine, which is further from root than root in a namespace, and whose processes the kernel counts.
 */
function namespaceArgs(
  { uid, gid }: { uid: number; gid: number },
  { lent, network }: { lent: boolean; network: boolean },
): string[] {
  const capabilities = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => [
    '--cap-add',
    name,
  ])
  return [
    ...(lent
      ? ['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try']
      : ['--unshare-all', '--uid', String(uid), '--gid', String(gid)]),
    ...(lent && !network ? ['--unshare-net'] : []),
    ...(!lent && network ? ['--share-net'] : []),
    '--cap-drop',
    'ALL',
    ...(lent ? capabilities : []),
    '--die-with-parent',
    '--new-session',
    '--hostname',
    'proofboard',
  ]
}

/** Files of `/etc` by which names are looked up: this machine's own, where the network is. */
const NAMES = new Set(['hosts', 'resolv.conf', 'nsswitch.conf'])

function ownMounts({ request, sandboxFiles, sharedMemory, node }: BubblewrapParts): string[] {
  const { places, programs, gateway } = request
  const readOnly = (host: string, inside: string) => ['--ro-bind', host, inside]
  return [
    ...Object.entries(sandboxFiles.etc).flatMap(([name, path]) =>
      readOnly(request.network && NAMES.has(name) ? `/etc/${name}` : path, `/etc/${name}`),
    ),
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
    ...readOnly(sandboxFiles.programs, INSIDE_PROOFBOARD),
    ...readOnly(node.host, node.inside),
    ...programs.flatMap((program) => readOnly(program.host, insideProgram(program))),
    ...(request.mounts ?? []).flatMap(({ host, inside, writable }) => [
      ...[writable ? '--bind' : '--ro-bind', host, inside],
    ]),
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

/** File size and core dumps are limited by bwrap's parent; these two have to be set inside, for the allocated user. */
function limitArgv({ maxThreads, memoryBytes }: EncloseRequest['limits']): string[] {
  return [
    'prlimit',
    `--nproc=${maxThreads}:${maxThreads}`,
    `--data=${memoryBytes}:${memoryBytes}`,
    '--',
  ]
}

/** Why a sandbox did not start, in one sentence that says what to do. */
export function explainFailure(
  stderr: string,
  read: (path: string) => string | null = readSwitch,
): string {
  const closed = SWITCHES.find(({ path, closed }) => read(path) === closed)
  if (closed) {
    const name = closed.path.slice('/proc/sys/'.length).replaceAll('/', '.')
    return `user namespaces are closed on this machine (${name} is ${closed.closed}): open them with "sysctl -w ${name}=${closed.open}" as root, or run as root`
  }
  const said = stderr.trim().split('\n').at(-1)?.slice(0, 300) || 'nothing'
  return `bubblewrap cannot start a sandbox here, it said "${said}": inside a container, allow it namespaces and mounts`
}

function readSwitch(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}

import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { findTool } from '../process/find-tool.ts'
import { nodeProgram } from '../process/node-program.ts'
import { runTool, TOOL_ENV, toArgv } from '../process/run-tool.ts'
import { allocatesUsers } from './allocate-sandbox-uid.ts'
import { RESOLVING } from './create-sandbox-files.ts'
import type { EncloseRequest, Enclosure, Isolation } from './isolation.ts'
import {
  INSIDE,
  INSIDE_GATEWAY,
  INSIDE_PATH,
  INSIDE_PROOFBOARD,
  insideProgram,
} from './isolation.ts'
import { languageMounts } from './language-mounts.ts'
import { nodeMountsWithNpm } from './node-mounts.ts'
import { probeNode } from './run-enclosed.ts'
import {
  environmentArgs,
  folderArgs,
  limitArgv,
  namespaceArgs,
  prepareSandbox,
  type Sandbox,
  startSandbox,
} from './start-bubblewrap.ts'
import { systemMounts } from './system-mounts.ts'

const FOLDERS = [
  '/etc',
  '/etc/pki',
  '/etc/pki/tls',
  '/etc/ssl',
  '/home',
  '/opt',
  '/run',
  '/var',
  '/var/lib',
]

/** Kernel switches with which distributions disable user namespaces; bwrap needs those when it is not root. */
const SWITCHES = [
  { path: '/proc/sys/kernel/unprivileged_userns_clone', closed: '0', open: '1' },
  { path: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns', closed: '1', open: '0' },
  { path: '/proc/sys/user/max_user_namespaces', closed: '0', open: '10000' },
] as const

/**
 * Linux namespaces: only the subject's folders, no network but the gateway's socket, and all processes end together.
 */
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
  cleanup: () => null,
  sweep: async () => {},
}

async function enclose(request: EncloseRequest): Promise<Enclosure> {
  const writable = (request.mounts ?? []).filter((one) => one.writable).map(({ host }) => host)
  const sandbox = await prepareSandbox(request, [...Object.values(request.places), ...writable])
  return startSandbox(sandbox, {
    args: bubblewrapArgs(sandbox),
    inside: limitArgv(sandbox, entranceArgv(request)),
    cwd: '/',
  })
}

async function toolVersion(name: string): Promise<string | null> {
  const tool = findTool(name)
  if (tool === null) return null
  const { code, stdout } = await runTool([tool, '--version'], { env: TOOL_ENV, timeoutMs: 10_000 })
  return code === 0 ? (/\d[\w.-]*/.exec(stdout)?.[0] ?? 'unknown') : null
}

async function whyNot(): Promise<string | null> {
  if (process.platform !== 'linux') return 'bubblewrap works on Linux only: use docker'
  const needed: [tool: string, packageName: string][] = [
    ['bwrap', 'bubblewrap'],
    ['prlimit', 'util-linux'],
    // Only root changes to another user.
    ...(allocatesUsers() ? [['setpriv', 'util-linux'] as [string, string]] : []),
  ]
  for (const [tool, packageName] of needed) {
    if ((await toolVersion(tool)) === null)
      return `${tool} is not installed: install the package ${packageName} (apt-get install ${packageName})`
  }
  return tryOne()
}

async function tryOne(): Promise<string | null> {
  const probe = await probeNode(enclose)
  if (probe.code === 0 && probe.stdout.trim() === nodeProgram().version) return null
  const isNode = [0, 126, 127].includes(probe.code ?? -1)
  return isNode ? explainNode() : explainFailure(probe.stderr)
}

function explainNode(): string {
  return `the node that runs proofboard cannot be started in a sandbox (${nodeProgram().path}): use one that every user can read and start (chmod -R o+rX)`
}

/** Arguments of bwrap: namespaces, mounts and the environment. */
function bubblewrapArgs(sandbox: Sandbox): string[] {
  const { request } = sandbox
  const programs = request.programs.map((program) => dirname(insideProgram(program)))
  const ways = nodeMountsWithNpm().map(({ inside }) => dirname(inside))
  return [
    ...namespaceArgs(sandbox, { network: request.network ?? false }),
    ...folderArgs([...FOLDERS, ...ways, ...programs]),
    ...systemMounts(),
    ...languageMounts(),
    ...ownMounts(sandbox),
    ...environmentArgs(request.env),
    ...['--chdir', request.startIn ?? INSIDE.workspace],
  ]
}

/** The entrance, which connects to the gateway and then runs the subject. */
function entranceArgv({ command, gateway }: EncloseRequest): string[] {
  return [
    '/bin/sh',
    `${INSIDE_PROOFBOARD}/enter.sh`,
    gateway ? String(INSIDE_GATEWAY.port) : '-',
    INSIDE_GATEWAY.socketPath,
    ...toArgv(command),
  ]
}

function ownMounts({ request, files, sharedMemory }: Sandbox): string[] {
  const { places, programs, gateway } = request
  const readOnly = (host: string, inside: string) => ['--ro-bind', host, inside]
  return [
    ...Object.entries(files.etc).flatMap(([name, path]) =>
      readOnly(request.network && RESOLVING.has(name) ? `/etc/${name}` : path, `/etc/${name}`),
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
    ...readOnly(files.programs, INSIDE_PROOFBOARD),
    ...nodeMountsWithNpm().flatMap(({ host, inside }) => readOnly(host, inside)),
    ...programs.flatMap((program) => readOnly(program.host, insideProgram(program))),
    ...(request.mounts ?? []).flatMap(({ host, inside, writable }) => [
      ...[writable ? '--bind' : '--ro-bind', host, inside],
    ]),
    ...(gateway ? readOnly(gateway.socketPath, INSIDE_GATEWAY.socketPath) : []),
    // The remaining root file system is bwrap's tmpfs, which must not be filled.
    '--remount-ro',
    '/',
  ]
}

/** Explains in one sentence why a sandbox did not start, and what to do. */
export function explainFailure(
  stderr: string,
  read: (path: string) => string | null = readSwitch,
): string {
  const closed = SWITCHES.find(({ path, closed }) => read(path) === closed)
  if (closed) {
    const name = closed.path.slice('/proc/sys/'.length).replaceAll('/', '.')
    return `user namespaces are closed on this machine (${name} is ${closed.closed}): open them with "sysctl -w ${name}=${closed.open}" as root, or run as root`
  }
  if (/execvp|failed to execute/.test(stderr)) return explainNode()
  const message = stderr.trim().split('\n').at(-1)?.slice(0, 300) || 'nothing'
  return `bubblewrap cannot start a sandbox here, it said "${message}": inside a container, allow it namespaces and mounts`
}

function readSwitch(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findTool } from '../process/find-tool.ts'
import { dataLimit } from '../process/process-memory.ts'
import { TOOL_ENV } from '../process/run-tool.ts'
import { RUN_VARIABLE } from '../process/start-guard.ts'
import { allocateUser, giveMount, openSocket } from './allocate-sandbox-uid.ts'
import { createSandboxFiles, type SandboxFiles } from './create-sandbox-files.ts'
import type { EncloseRequest, Enclosure } from './isolation.ts'
import { seccompFilter } from './seccomp-filter.ts'

/** Uid inside for an ordinary user's runner; it maps to the runner's own user. */
const INSIDE_USER = { uid: 1000, gid: 1000 }

// Folders that bwrap creates for its mounts must be open to the allocated user, whatever the umask is.
const START =
  'umask 022; bwrap=$1; shift; exec "$bwrap" --seccomp 4 --args 3 -- "$@" 3<"$0" 4<"$0.filter"'

/** Parts of a sandbox, besides its mounts. */
export type Sandbox = {
  request: EncloseRequest
  files: SandboxFiles
  /** Writable folder for shared memory; counts towards the subject's quota. */
  sharedMemory: string
  /** User inside the sandbox. */
  user: { uid: number; gid: number }
  /** True if the runner is root: the program inside changes to a user allocated for this sandbox. */
  dropsRoot: boolean
  giveBack: () => void
}

/** Allocates a user and gives it the folders that it can write to. */
export async function prepareSandbox(
  request: EncloseRequest,
  writable: readonly string[],
): Promise<Sandbox> {
  const { folder, gateway } = request
  const allocated = allocateUser()
  const dropsRoot = process.getuid?.() === 0
  const user = dropsRoot ? allocated : INSIDE_USER
  const files = await createSandboxFiles(join(folder, 'sandbox'), user)
  const sharedMemory = join(folder, 'shm')
  await mkdir(sharedMemory, { recursive: true })
  for (const path of [...writable, sharedMemory]) await giveMount(path, allocated)
  if (gateway) await openSocket(gateway)
  return { request, files, sharedMemory, user, dropsRoot, giveBack: allocated.giveBack }
}

/**
 * Builds the command that starts a sandbox. `args`, for bwrap, are passed in a file: other users, and the subject
 * itself, can read command lines.
 */
export async function startSandbox(
  { request, files, giveBack }: Sandbox,
  how: { args: readonly string[]; inside: readonly string[]; cwd?: string },
): Promise<Enclosure> {
  const argsFile = join(files.folder, 'bwrap-args')
  await rm(argsFile, { force: true })
  await writeFile(argsFile, how.args.join('\0'), { mode: 0o600 })
  await writeFile(`${argsFile}.filter`, seccompFilter())
  return {
    command: ['/bin/sh', '-c', START, argsFile, findTool('bwrap') ?? 'bwrap', ...how.inside],
    env: { ...TOOL_ENV, [RUN_VARIABLE]: request.runMark },
    cwd: how.cwd ?? dirname(argsFile),
    holdsSubject: true,
    memoryBytes: request.limits.memoryBytes,
    end: async () => {
      giveBack()
      return true
    },
  }
}

/**
 * An ordinary user's sandbox has its own user namespace. Root's has none: it changes to a user that owns nothing on
 * this machine, which has fewer rights than root in a namespace and whose processes the kernel counts.
 */
export function namespaceArgs(
  { user: { uid, gid }, dropsRoot }: Sandbox,
  { network }: { network: boolean },
): string[] {
  const capabilities = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP']
  return [
    ...(dropsRoot
      ? ['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try']
      : ['--unshare-all', '--uid', String(uid), '--gid', String(gid)]),
    ...(dropsRoot && !network ? ['--unshare-net'] : []),
    ...(!dropsRoot && network ? ['--share-net'] : []),
    ...['--cap-drop', 'ALL'],
    ...(dropsRoot ? capabilities.flatMap((name) => ['--cap-add', name]) : []),
    ...['--die-with-parent', '--new-session', '--hostname', 'proofboard'],
  ]
}

/** Creates the parents of mounts. Otherwise they would belong to bwrap, closed to the allocated user. */
export function folderArgs(paths: readonly string[]): string[] {
  return paths.flatMap((path) => ['--dir', path])
}

/** The complete environment inside. */
export function environmentArgs(env: EncloseRequest['env']): string[] {
  const own = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])
  return ['--clearenv', ...own]
}

/**
 * The command that starts `words` inside, as another user and with limits. bwrap's parent limits file sizes and core
 * dumps.
 */
export function limitArgv(
  { request, user, dropsRoot }: Sandbox,
  words: readonly string[],
): string[] {
  const { maxThreads, memoryBytes } = request.limits
  const data = dataLimit(memoryBytes)
  const id = String(user.uid)
  const drop = ['--reuid', id, '--regid', id, '--clear-groups', '--inh-caps=-all']
  return [
    ...(dropsRoot ? ['setpriv', ...drop, '--bounding-set=-all', '--'] : []),
    ...['prlimit', `--nproc=${maxThreads}:${maxThreads}`, `--data=${data}:${data}`],
    ...['--', ...words],
  ]
}

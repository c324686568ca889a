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

/** The user id inside for what an ordinary user runs: the runner's own user under another number. */
const INSIDE_USER = { uid: 1000, gid: 1000 }

// Folders that bwrap makes on the way to its mounts must be open to the allocated user, however strict our mask is.
const START =
  'umask 022; bwrap=$1; shift; exec "$bwrap" --seccomp 4 --args 3 -- "$@" 3<"$0" 4<"$0.filter"'

/** What one sandbox is made from, besides its mounts. */
export type Sandbox = {
  request: EncloseRequest
  files: SandboxFiles
  /** A writable folder for shared memory, counted like the subject's other folders. */
  sharedMemory: string
  /** Inside. */
  user: { uid: number; gid: number }
  /** The runner is root: inside, it drops to a user that was allocated for this sandbox. */
  dropsRoot: boolean
  giveBack: () => void
}

/** Allocates a user, and gives it the folders that it may write. */
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
 * The command that starts a sandbox. `args` are bwrap's: they are handed over in a file, because command lines can be
 * read by every user of a machine, and by the subject itself: bwrap is the first process it sees.
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
 * A user's sandbox has a user namespace of its own. Root's has none: there, root drops to a user that owns nothing
 * on this machine, which is further from root than root in a namespace, and whose processes the kernel counts.
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

/** Folders on the way to a mount: made by the mount they would belong to bwrap, closed to the allocated user. */
export function folderArgs(paths: readonly string[]): string[] {
  return paths.flatMap((path) => ['--dir', path])
}

/** The environment of what runs inside, and nothing else. */
export function environmentArgs(env: EncloseRequest['env']): string[] {
  const own = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])
  return ['--clearenv', ...own]
}

/** What starts `words` inside, under another user and our limits; bwrap's parent limits file size and core dumps. */
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

/** A command as words; a text is one for the shell. */
export function toArgv(command: EncloseRequest['command']): readonly string[] {
  return typeof command === 'string' ? ['/bin/sh', '-c', command] : command
}

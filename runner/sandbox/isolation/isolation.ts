import type { Socket } from 'node:net'
import type { Environment } from '#lib/domain/record/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import type { SandboxState } from '../process/run-process.ts'
import type { CleanupCommand } from '../process/start-guard.ts'

/** The three folders a subject may write to. */
export type Places = { workspace: string; home: string; temporary: string }

/** An installed program that a subject needs to read, such as an agent. `name` identifies it in the sandbox. */
export type ProgramFolder = { host: string; name: string }

/** The gateway's port on loopback, and its unix socket, which sandboxes mount. */
export type GatewaySocket = { socketPath: string; port: number }

/** One program to start at some level of isolation. */
export type EncloseRequest = {
  /** A shell command line, or a program and its arguments, which no shell reads; with paths inside the sandbox. */
  command: string | readonly string[]
  /** The complete environment, already filtered, with paths inside the sandbox. */
  env: Record<string, string>
  /** The subject's folders on this machine. */
  places: Places
  /** The attempt's own folder, which contains all `places`. */
  folder: string
  programs: readonly ProgramFolder[]
  gateway: GatewaySocket | null
  /** The task declares that it needs the network; absent = none where a sandbox is available. */
  network?: boolean
  /** Further folders, and the working folder; absent = none, and the workspace. Supported by bubblewrap only. */
  mounts?: readonly Mount[]
  startIn?: string
  /** A file of this machine for stdin; null = it is closed. */
  stdin: string | null
  limits: EnclosedLimits
  marker: string
  runMark: string
}

/** A folder of this machine that a sandbox shows at another path. */
export type Mount = { host: string; inside: string; writable: boolean }

export type EnclosedLimits = {
  /** Size limit of a single file; the total is checked while the subject runs. */
  diskQuotaBytes: number
  /** Processes and threads; stops a fork bomb before the next check. */
  maxThreads: number
  /** Per process, checked while it runs (bubblewrap), or for all processes together (docker). */
  memoryBytes: number
  cpus: number
}

/** The command that `runProcess` starts, and how all of it is ended. */
export type Enclosure = {
  command: string | readonly string[]
  env: Record<string, string>
  cwd: string
  holdsSubject: boolean
  /** See `ProcessRequest`. */
  memoryBytes?: number
  /** Null = the sandbox gives the program its stdin; absent = the command has it. */
  stdin?: null
  /** Receives descriptor 3 of the command, a socket; absent = it has none. */
  carry?: (pipe: Socket) => void
  /** The user that the command is started as; absent = the runner's own user. */
  user?: { uid: number; gid: number }
  /** Asks processes that signals do not reach to end; absent = signals reach all of them. */
  askToEnd?: () => Promise<void>
  /** Absent = the exit code is sufficient. */
  inspect?: () => Promise<SandboxState>
  end: () => Promise<boolean>
}

/** The isolation that a subject actually had, as recorded in the envelope. */
export type IsolationRecord = Pick<Environment, 'isolation' | 'containerImageDigest'> & {
  /** Tools that isolate, with exact versions. */
  tools: Record<string, string>
}

/** One level of isolation. There is no fallback to another level: a machine that lacks one reports it. */
export type Isolation = {
  level: Settings['isolation']
  /**
   * Returns null if this machine supports it, otherwise one sentence that says what to do. Starts a program to find
   * out.
   */
  available: () => Promise<string | null>
  record: () => Promise<IsolationRecord>
  /**
   * Prepares an agent's programs and starts the agent with a harmless command, before anything is paid. Returns why it
   * does not start, as the rest of a sentence. Absent = programs are shown as they are.
   */
  prepare?: (
    programs: readonly ProgramFolder[],
    command: readonly string[],
  ) => Promise<string | null>
  /** Paths of the folders inside the sandbox. */
  inside: (places: Places) => Places
  /** Path of an installed program inside the sandbox. */
  programPath: (program: ProgramFolder) => string
  /** PATH inside; null = the runner's own. */
  path: string | null
  /** Port of the gateway on the subject's loopback. */
  gatewayPort: (socket: GatewaySocket) => number
  /** Exit code of the isolating tool itself on failure, which a subject may also exit with; null = there is no tool. */
  ownFailure: number | null
  enclose: (request: EncloseRequest) => Promise<Enclosure>
  /** Command that a guard runs after the runner was killed; null = ending its processes is enough. */
  cleanup: (runMark: string) => CleanupCommand | null
  /** Removes what earlier runners left behind when they were killed with their guards. */
  sweep: () => Promise<void>
}

/**
 * Paths inside every sandbox. They are fixed because agents put them into requests, and only identical requests can be
 * replayed from a recording.
 */
export const INSIDE: Places = { workspace: '/workspace', home: '/home/agent', temporary: '/tmp' }

export const INSIDE_GATEWAY = { socketPath: '/run/gateway.sock', port: 8787 } as const

/** Folder of the entrance and the bridge inside. */
export const INSIDE_PROOFBOARD = '/run/proofboard'

export const INSIDE_NODE = '/opt/node'

export const INSIDE_PATH = `${INSIDE_NODE}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`

/** Path of an installed program inside. */
export function insideProgram({ name }: Pick<ProgramFolder, 'name'>): string {
  return `/opt/${name}`
}

/** Absolute paths of a subject's folders, inside the sandbox and on this machine; the workspace comes first. */
export function ownFolders(isolation: Pick<Isolation, 'inside'>, places: Places): string[] {
  const seen = isolation.inside(places)
  return [seen, places].flatMap(({ workspace, home, temporary }) => [workspace, home, temporary])
}

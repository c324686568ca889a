import type { Environment, Settings } from '#lib/domain/record/index.ts'
import type { SandboxState } from '../process/run-process.ts'
import type { LastWords } from '../process/start-guard.ts'

/** The three folders a subject may write to. */
export type Places = { workspace: string; home: string; temporary: string }

/** Something installed that a subject needs to read: an agent's own program. `name` identifies it inside. */
export type ProgramFolder = { host: string; name: string }

/** The way to the model: the gateway's port on our loopback, and its unix socket, which a sandbox gets to see. */
export type GatewaySocket = { socketPath: string; port: number }

/** One program to start at some level of isolation. */
export type EncloseRequest = {
  /** A shell command line, or a program and its arguments, which no shell ever reads; as seen from inside. */
  command: string | readonly string[]
  /** The whole environment, already the allow-list, with paths as seen from inside. */
  env: Record<string, string>
  /** The subject's folders as this machine knows them. */
  places: Places
  /** The attempt's own folder, above all `places`. */
  folder: string
  programs: readonly ProgramFolder[]
  gateway: GatewaySocket | null
  /** The task asks for the network of this machine, and says why; absent = none where a sandbox is available. */
  network?: boolean
  /** Further folders, and the one to start in; absent = none, and the workspace. Bubblewrap alone shows them. */
  mounts?: readonly Mount[]
  startIn?: string
  /** Whether stdin is a file to be read; otherwise it is closed. */
  readsStdin: boolean
  limits: EnclosedLimits
  marker: string
  runMark: string
}

/** A folder of this machine that a sandbox shows at a path of its own. */
export type Mount = { host: string; inside: string; writable: boolean }

export type EnclosedLimits = {
  /** The largest single file; the sum is watched while the subject runs. */
  diskQuotaBytes: number
  /** Processes and their threads, which stops a fork bomb before the next check. */
  maxThreads: number
  /** For one process, checked while it runs (bubblewrap), or for all together (docker). */
  memoryBytes: number
  cpus: number
}

/** What `runProcess` has to start, and how all of it is ended for sure. */
export type Enclosure = {
  command: string | readonly string[]
  env: Record<string, string>
  cwd: string
  holdsSubject: boolean
  /** See `ProcessRequest`. */
  memoryBytes?: number
  /** The user that the command is started as; absent = the runner's own user. */
  user?: { uid: number; gid: number }
  /** Asks what signals do not reach to end; absent = they reach all of it. */
  askToEnd?: () => Promise<void>
  /** Absent = the exit code says everything. */
  inspect?: () => Promise<SandboxState>
  end: () => Promise<boolean>
}

/** The isolation that a subject really had, as an envelope states it. */
export type IsolationRecord = Pick<Environment, 'isolation' | 'containerImageDigest'> & {
  /** The tool that isolates, by exact version. */
  tools: Record<string, string>
}

/** One level of isolation. Nothing here falls back to another level: a machine that lacks one says so. */
export type Isolation = {
  level: Settings['isolation']
  /** Null when this machine can; otherwise one sentence that says what to do. Starts something to find out. */
  available: () => Promise<string | null>
  record: () => Promise<IsolationRecord>
  /**
   * Makes ready what an agent's programs need and starts it by a harmless command, before anything is paid. Returns why it
   * does not start, as the rest of a sentence. Absent = its programs are shown as they are.
   */
  prepare?: (
    programs: readonly ProgramFolder[],
    command: readonly string[],
  ) => Promise<string | null>
  /** The folders as the subject sees them. */
  inside: (places: Places) => Places
  /** The path of an installed program for the subject. */
  programPath: (program: ProgramFolder) => string
  /** PATH inside; null = the runner's own. */
  path: string | null
  /** The port on the subject's own loopback that leads to the gateway. */
  gatewayPort: (socket: GatewaySocket) => number
  /** The exit code by which the tool itself fails, which a subject may also end with; null when there is no tool. */
  ownFailure: number | null
  enclose: (request: EncloseRequest) => Promise<Enclosure>
  /** What a guard does when the runner was killed; null when ending its processes is enough. */
  lastWords: (runMark: string) => LastWords | null
  /** Removes what earlier runners, killed with their guards, left behind. */
  sweep: () => Promise<void>
}

/**
 * The fixed paths inside a sandbox: agents put these paths into their requests, and only equal requests can
 * be answered from a recording.
 */
export const INSIDE: Places = { workspace: '/workspace', home: '/home/agent', temporary: '/tmp' }

export const INSIDE_GATEWAY = { socketPath: '/run/gateway.sock', port: 8787 } as const

/** Our own two files inside: the entrance and the bridge. */
export const INSIDE_PROOFBOARD = '/run/proofboard'

export const INSIDE_NODE = '/opt/node'

export const INSIDE_PATH = `${INSIDE_NODE}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`

/** The path of an installed program inside. */
export function insideProgram({ name }: Pick<ProgramFolder, 'name'>): string {
  return `/opt/${name}`
}

/** The folders of a subject as absolute paths: as it sees them, and as this machine has them; its workspace is the first. */
export function ownFolders(isolation: Pick<Isolation, 'inside'>, places: Places): string[] {
  const seen = isolation.inside(places)
  return [seen, places].flatMap(({ workspace, home, temporary }) => [workspace, home, temporary])
}

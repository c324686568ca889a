import type {
  BrowserFaultKind,
  BrowserRecord,
  MeasuredMode,
  Subject,
  Targeting,
  TracedAction,
} from '#lib/domain/record/index.ts'
import type { AppPool, Tenant } from '../apps/app-pool.ts'
import type { BrowserLease, BrowserPool } from '../browser/browser-pool.ts'
import type { AttemptContext } from '../engine/environment-adapter.ts'
import type { Workspace } from '../engine/workspace.ts'
import type { HostReport, LibrarySockets } from '../libraries/host-protocol.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import type { SubjectContext, SubjectEnding } from '../subjects/subject-driver.ts'
import type { LoadedWorkflow } from '../suites/task-folder.ts'
import type { HarnessClock } from './harness-clock.ts'

/** Input of a subject for one browser episode: the app's address, a browser, folders to write to. */
export type WorkflowAttempt = Omit<SubjectContext, 'task'> & {
  task: LoadedWorkflow
  origin: string
  /** The debugging port, behind the harness's proxy. */
  endpoint: string
  webdriverPort: number | null
  /** The only exits from the library's sandbox; null = no sandbox, so it reaches what this machine reaches. */
  reach: LibrarySockets | null
  /** Called with the path of the library's trace before the library writes to it. */
  follow: (tracePath: string) => void
  /** Wall time that other programs of this machine have taken from it so far. */
  lostMs: () => number
  /** The task's files as provided to the user, by their relative path. */
  files: Readonly<Record<string, string>>
}

/** Result of a library. */
export type PlayedWorkflow = {
  ending: SubjectEnding
  actions: readonly TracedAction[]
  /** Null if its host printed nothing readable. */
  report: HostReport | null
}

/** Anything that can be measured on a browser workflow. */
export type WorkflowPlayer = {
  subject: Subject
  mode: MeasuredMode
  driven: BrowserRecord['driven']
  targeting: Targeting
  /** True if a chromedriver has to run with the browser. */
  webdriver: boolean
  secrets: readonly string[]
  act: (attempt: WorkflowAttempt) => Promise<PlayedWorkflow>
}

/** Returns the error that ended the library's part; recovered ones are only in the step trace. */
export function endingError(report: HostReport | null): HostReport['libraryError'] {
  return report === null || report.ending === 'finished' ? null : report.libraryError
}

/** State shared by all browser episodes of a run. */
export type WorkflowPools = {
  apps: AppPool
  browsers: BrowserPool
  isolation: Isolation
  /** True if libraries are isolated from everything but their browser. */
  isSandboxed: boolean
  /** The folder of all episodes' folders: the only one that a sandboxed browser sees besides its own. */
  stagingFolder: string
}

/** A fault and the request at which it is injected. */
export type PlannedFault = { kind: BrowserFaultKind; at: string }

/** State of one browser episode created before its subject begins. */
export type WorkflowContext = {
  attempt: AttemptContext
  task: LoadedWorkflow
  player: WorkflowPlayer
  pools: WorkflowPools
  place: Workspace
  tenant: Tenant
  lease: BrowserLease
  files: Readonly<Record<string, string>>
  fault: PlannedFault | null
  clock: HarnessClock
}

/** Maximum wait of any action of any library for its element: the same for all of them. */
export const ACTION_TIMEOUT_MS = 8000

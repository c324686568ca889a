import type {
  Activation,
  EpisodeBody,
  GatewayCall,
  MeasuredMode,
  Outcome,
  PromptRecord,
  Subject,
} from '#lib/domain/record/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import type { GatewayReport } from '../gateway/gateway-report.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import type { CappedLog } from '../sandbox/process/capped-log.ts'
import type { AgentTask } from '../suites/task-folder.ts'
import type { TranscriptFile } from '../transcript/transcript-file.ts'

/** Input of a subject for one attempt. */
export type SubjectContext = {
  task: AgentTask
  repetition: number
  /** The pristine workspace, and the two other folders it may write to. */
  workspace: string
  home: string
  temporary: string
  /** Contains all of the above; nothing else may be written. */
  folder: string
  settings: Settings & { cpus?: number | null }
  /** Bytes of `folder` at the start, which count against no limit; absent = none. */
  baseBytes?: number
  isolation: Isolation
  /** The task requires this machine's network; absent = only the gateway, if a sandbox is available. */
  network?: boolean
  /** Marks this subject's processes; unique in the run. */
  marker: string
  runMark: string
  log: CappedLog
  signal: AbortSignal
  /** Values that the task's programs are given and no evidence may contain; absent = none. */
  secrets?: readonly string[]
  /**
   * For a task with several steps: called when one has ended by itself. Judges it, and returns the parts that the next one
   * replaces; null = there is none.
   */
  nextStep?: () => Promise<NextStep | null>
}

/** The parts of a subject's input that are new in each step. */
export type NextStep = Pick<
  SubjectContext,
  'task' | 'settings' | 'isolation' | 'folder' | 'workspace' | 'home' | 'temporary'
> & { network: boolean }

/** The end of the subject's own part; the contract is evaluated afterwards in any case. */
export type SubjectEnding = {
  /** `finished`: ended after its final answer, or because its provider refuses calls for long. */
  cause: 'exited' | 'finished' | 'timeout' | 'disk' | 'processes' | 'cancelled' | 'spawn-failed'
  exitCode: number | null
  signal: string | null
  leftBehind: number
  clean: boolean
  /** From the time limit to the end of its last process; absent if it ended before. */
  overrunMs?: number
  /** The time limit of its last step; absent = that of the attempt. */
  limitMs?: number
  /** Time in which its steps were judged and prepared, which is not its own; absent = none. */
  pausedMs?: number
  /** See `ProcessEnding`. */
  isOutOfMemory?: true
  /** From its final answer to the end of its last process, if it did not exit by itself. */
  lingeredMs?: number
  /** Its disk was full when it ended. */
  isDiskFull?: true
  /** Its own set-up command that failed, and how; the agent was never started. */
  setupFailed?: string
  /** Failure of the harness after it had worked: makes the attempt void. */
  brokenBy?: Error
  /** Its prompt; absent for a subject that reads none. */
  prompt?: PromptRecord
  /** The gateway's report; null or absent if none was between the subject and its model. */
  report?: GatewayReport | null
  /** Signals of stalled progress; absent if its tool calls were not watched. */
  noProgress?: EpisodeBody['effort']['noProgress']
  /** The gateway's recording, redacted; null or absent if nothing was recorded. */
  recording?: string | null
  /** Its calls one by one; null or absent without a gateway. */
  calls?: readonly GatewayCall[] | null
  /** The transcript of agent and model, not yet sealed; null or absent without a gateway. */
  transcript?: TranscriptFile | null
  /** True if the content of its arm reached the model; absent = no arm, or no gateway. */
  activation?: Activation | undefined
  /** Steps and tool calls counted by another part than a gateway: the host of a scripted library. */
  effort?: Pick<EpisodeBody['effort'], 'steps' | 'toolCalls' | 'firstTool'>
}

/** Anything that can be measured on a task. */
export type SubjectDriver = {
  subject: Subject
  mode: MeasuredMode
  /** A gateway is between it and its model, so that budgets and temperature can be enforced. */
  metered?: boolean
  /** Files that it leaves in the workspace and that are not work: files, or folders ending in a slash. */
  droppings?: readonly string[]
  /** Texts that no evidence may contain: the keys of this run. */
  secrets?: readonly string[]
  /** Tasks this subject cannot be run on, with the reason; called before a run starts. */
  refuses: (task: AgentTask) => string | null
  /**
   * Explains why its program cannot be started at this level on this machine, in one sentence; called before a run
   * starts.
   */
  findUnreachable?: (isolation: Isolation) => Promise<string | null>
  /**
   * For a control: whether it submits the stored solution or nothing. Called if the solution is a script of the task.
   */
  chooses?: (context: Pick<SubjectContext, 'task' | 'repetition' | 'settings'>) => boolean
  act: (context: SubjectContext) => Promise<SubjectEnding>
}

/** The ending of a subject that is a function of the harness and did its work. */
export const DONE: SubjectEnding = {
  cause: 'exited',
  exitCode: 0,
  signal: null,
  leftBehind: 0,
  clean: true,
}

/** The part of a subject that a plan needs. */
export type PlannableSubject = Pick<SubjectDriver, 'subject' | 'metered'> & {
  /** Tasks it cannot be run on, with the reason. */
  refuses: (task: AgentTask) => string | null
  warnings: readonly string[]
}

export type SubjectResult = { ending: SubjectEnding; outcome: Outcome | null }

import type {
  ContractResult,
  Environment,
  EpisodeBody,
  EvidenceFile,
  FailureCategory,
  MeasuredMode,
  Outcome,
  Plan,
  Slot,
  TamperFinding,
  TestCommandResult,
} from '#lib/domain/record/index.ts'
import type { FindSecrets } from '../redact/find-secrets.ts'
import type { CappedLog } from '../sandbox/process/capped-log.ts'
import type { SubjectDriver, SubjectResult } from '../subjects/subject-driver.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import type { TouchedFile } from './workspace.ts'

/** One attempt: what to run and where its record is written. */
export type EpisodeRequest = AttemptIdentity & {
  task: LoadedTask
  attemptFolder: string
  temporaryFolder: string
  /** The name of the attempt's folder inside it; null = a new one. */
  folderName: string | null
  runMark: string
}

/** The context that an environment adapter gets for one attempt. */
export type AttemptContext = EpisodeRequest & {
  /** Marks the subject's processes. */
  marker: string
  log: CappedLog
  find: FindSecrets
  signal: AbortSignal
}

/** The contract's result, and the outcome if the subject's part did not decide it already. */
export type AttemptEvaluation = {
  contract: ContractResult
  findings: TamperFinding[]
  exit: EpisodeBody['exit']['gate']
  outcome: Outcome
  /** The category of an unsolved attempt, unless the outcome decides it. */
  unsolvedAs: FailureCategory
  /** Result of the task's own test command; null or absent = it has none. */
  testCommand?: TestCommandResult | null
}

/** Stored evidence of an attempt besides its verdict. */
export type StoredEvidence = {
  files: EvidenceFile[]
  browser?: EpisodeBody['browser']
  fault?: EpisodeBody['fault']
}

/** A running attempt; its members are its phases, called once each and in this order. */
export type PreparedAttempt = {
  play: () => Promise<SubjectResult>
  restore: () => Promise<TouchedFile[]>
  /** Null if the run was stopped before the contract could be evaluated. */
  judge: (subject: SubjectResult) => Promise<AttemptEvaluation | null>
  collect: (subject: SubjectResult) => Promise<StoredEvidence>
  /** Removes and releases everything; called at every ending. */
  leave: () => Promise<void>
}

/** Runs the episodes of one subject on one kind of task. */
export type EnvironmentAdapter = {
  mode: MeasuredMode
  /** Texts that no evidence may contain: the keys of this run. */
  secrets: readonly string[]
  /** Starts what all episodes of a run share; `temporary` and processes with the mark are removed when the run ends. */
  open?: (run: { temporary: string; runMark: string }) => Promise<void>
  /** The first phase: prepares everything the subject will find, fresh. */
  enter: (attempt: AttemptContext) => Promise<PreparedAttempt>
  close?: () => Promise<void>
}

/** Facts about this machine that a run needs before its first episode. */
export type OpenedEnvironment = {
  adapter: EnvironmentAdapter
  /** Describes in one sentence a sandbox that this machine lacks; null or absent = none. */
  weakness?: string | null
} & Pick<Environment, 'browser' | 'libraries' | 'verifier' | 'toolchains' | 'certificates'>

export type AttemptIdentity = {
  runId: string
  plan: Plan
  slot: Slot
  attempt: number
  previousAttempt: EpisodeBody['previousAttempt']
  /** Hashes of the ledger entries that registered the run; empty = none known. */
  registrations: NonNullable<EpisodeBody['registrations']>
}

/** The environment of a plan with arms: each arm, by name, has its own driver. */
export function armsAdapter(
  drivers: ReadonlyMap<string, SubjectDriver>,
  adapterOf: (driver: SubjectDriver) => EnvironmentAdapter,
): EnvironmentAdapter {
  const adapters = new Map([...drivers].map(([name, driver]) => [name, adapterOf(driver)]))
  const all = [...adapters.values()]
  return {
    mode: all[0]?.mode ?? 'skip',
    secrets: [...new Set(all.flatMap(({ secrets }) => secrets))],
    enter: async (context) => {
      const adapter = adapters.get(context.slot.arm ?? '')
      if (!adapter) throw new Error(`no adapter for the arm ${context.slot.arm}`)
      return adapter.enter(context)
    },
  }
}

import type { Change } from '../repository/overlay.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import type { CappedLog } from '../sandbox/process/capped-log.ts'
import type { ProcessEnding } from '../sandbox/process/run-process.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import type { AllowedVariables } from './variables.ts'

/** Settings shared by the environments of attempts. */
export type HarborSettings = {
  /** The sandbox for the task's parts: bubblewrap for a folder, docker for an image. */
  judging: Isolation
  /** Parent of new folders; a guard removes what a killed runner left there. */
  temporary: string
  runMark: string
  signal: AbortSignal
  /** Absent = none. */
  variables?: AllowedVariables
}

/** One run of a script of the task. */
export type ScriptRun = { ending: ProcessEnding; log: string }

/** Files that a verifier left in `/logs/verifier`; null = missing. A `problem` means that they must not be read. */
export type VerifierRun = ScriptRun & {
  txt: string | null
  json: string | null
  ctrf: string | null
  problem: string | null
}

/** The environment of one attempt, until `leave`. */
export type HarborPlace = StepPlace & {
  /** The environment, for the record: an image by digest, or the folder. */
  description: string
  /** Collects the changes, once the subject's processes have ended. */
  take: (droppings: readonly string[]) => Promise<TakenWork>
  /** Reads a file as it was before the attempt; null = none, or not available. */
  before: (path: string) => Promise<Buffer | null>
  /**
   * Moves to the next step and prepares it: its files, its set-up script, its healthcheck. Returns why it cannot be worked
   * on, after what the earlier steps left; null = it can.
   */
  advance: () => Promise<string | null>
  leave: () => Promise<void>
}

/** The current step of an attempt; a task without steps is its own only one. */
type StepPlace = {
  readonly step: LoadedHarbor
  /** Its place among all steps, from 0. */
  readonly at: number
  /** New in each step. */
  readonly folder: string
  readonly workspace: string
  readonly home: string
  readonly temporary: string
  /** Isolation of the subject's programs. */
  readonly isolation: Isolation
  /** Runs `solution/solve.sh` in the subject's role. */
  solve: (log: CappedLog) => Promise<ProcessEnding>
  /**
   * Runs `tests/test.sh` in a fresh environment with the final files of the work; `tests` replaces the step's tests.
   */
  verify: (work: TakenWork, tests?: readonly Change[]) => Promise<VerifierRun>
}

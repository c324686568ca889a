import type { Change } from '../repository/overlay.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import type { CappedLog } from '../sandbox/process/capped-log.ts'
import type { ProcessEnding } from '../sandbox/process/run-process.ts'

/** Settings shared by the environments of attempts. */
export type HarborSettings = {
  /** The sandbox for the task's parts: bubblewrap for a folder, docker for an image. */
  judging: Isolation
  /** Parent of new folders; a guard removes what a killed runner left there. */
  temporary: string
  runMark: string
  signal: AbortSignal
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
export type HarborPlace = {
  folder: string
  workspace: string
  home: string
  temporary: string
  /** Isolation of the subject's programs. */
  isolation: Isolation
  /** The environment, for the record: an image by digest, or the folder. */
  description: string
  /** Runs `solution/solve.sh` in the subject's role. */
  solve: (log: CappedLog) => Promise<ProcessEnding>
  /** Collects the changes, once the subject's processes have ended. */
  take: (droppings: readonly string[]) => Promise<TakenWork>
  /**
   * Runs `tests/test.sh` in a fresh environment with the final files of the work; `tests` replaces the task's tests.
   */
  verify: (work: TakenWork, tests?: readonly Change[]) => Promise<VerifierRun>
  /** Reads a file as it was before the attempt; null = none, or not available. */
  before: (path: string) => Promise<Buffer | null>
  leave: () => Promise<void>
}

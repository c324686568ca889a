import type { Change } from '../repository/overlay.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import type { CappedLog } from '../sandbox/process/capped-log.ts'
import type { ProcessEnding } from '../sandbox/process/run-process.ts'

/** What places of attempts share. */
export type HarborSettings = {
  /** Where the task's parts run: in a sandbox as a folder, or in docker as its image. */
  judging: Isolation
  /** New folders are made there, and a guard removes what a killed runner left. */
  temporary: string
  runMark: string
  signal: AbortSignal
}

/** One run of a script of the task's author. */
export type ScriptRun = { ending: ProcessEnding; log: string }

/** What a verifier left in `/logs/verifier`; null = the file is not there. A string in `problem` = it is not to be read. */
export type VerifierRun = ScriptRun & {
  txt: string | null
  json: string | null
  ctrf: string | null
  problem: string | null
}

/** Where one attempt at one task takes place, until `leave`. */
export type HarborPlace = {
  folder: string
  workspace: string
  home: string
  temporary: string
  /** What the subject's programs run in. */
  isolation: Isolation
  /** What the place is, for the record: an image by digest, or the folder. */
  description: string
  /** Runs `solution/solve.sh` as the subject's part. */
  solve: (log: CappedLog) => Promise<ProcessEnding>
  /** What was changed, once the subject's processes have ended. */
  take: (droppings: readonly string[]) => Promise<TakenWork>
  /** Runs `tests/test.sh` in a fresh place with the work's final files, and with other files in place of the task's tests. */
  verify: (work: TakenWork, tests?: readonly Change[]) => Promise<VerifierRun>
  /** A file that every attempt starts with; null = there is none that can be shown. */
  before: (path: string) => Promise<Buffer | null>
  leave: () => Promise<void>
}

import type { EvaluationLine, StoredWork, TamperFinding } from '#lib/domain/record/index.ts'
import type { SourceText } from '../suites/task-folder.ts'
import type { JudgedSolution, JudgingDeps } from './judge-stored.ts'

/** The result of evaluating one uploaded episode. */
export type Evaluated = Omit<Extract<EvaluationLine, { kind: 'evaluated' }>, 'kind'>

/** Judging of solutions that are stored with episodes. */
export type StoredSolutions<T> = {
  /** They are judged in a sandbox of this machine, not by the verifier of exercises. */
  needsSandbox: boolean
  judge(folder: string, episode: StoredWork, task: T, deps: JudgingDeps): Promise<JudgedSolution>
  /** Finds a copy of the reference among the files; null = none. */
  findCopy(files: readonly SourceText[], task: T): Promise<TamperFinding | null>
  /** True if nothing was done. */
  isUntouched(episode: StoredWork, files: readonly SourceText[], task: T): Promise<boolean>
}

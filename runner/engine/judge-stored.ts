import { outcomeWithVerdict, type Regrade, type StoredWork } from '#lib/domain/record/index.ts'
import type { BaseSettings } from '../repository/prepare-base.ts'
import type { LoadedTask, SourceText } from '../suites/task-folder.ts'
import type { ExerciseVerifier } from '../verify/exercise/verifier-types.ts'
import type { ContractEvaluation } from './evaluate-contract.ts'

/** Dependencies for judging stored work. */
export type JudgingDeps = {
  /** The kind's judge of stored solutions; null = its episodes store none. */
  judge: JudgeSolution | null
  verifier: ExerciseVerifier
  /** Settings for judging patches; null = not possible here. */
  judging: BaseSettings | null
  signal: AbortSignal
  /** True = the work is from another machine and gets no network. */
  isForeign: boolean
}

export type Reevaluation = Pick<ContractEvaluation, 'contract' | 'findings'>

/** A stored solution that was judged, with its files; or why it cannot be. */
export type JudgedSolution =
  | { evaluation: Reevaluation; files: SourceText[] }
  | { refused: Refusal; reason: string }

type JudgeSolution = (
  folder: string,
  episode: StoredWork,
  task: LoadedTask,
  deps: JudgingDeps,
) => Promise<JudgedSolution>

/** The result of judging an episode's stored solution again, or why that is impossible. */
export type Judged =
  | {
      evaluation: Reevaluation
      before: Regrade['before']
      after: Regrade['after']
      files: SourceText[]
    }
  | { refused: Refusal; reason: string }

type Refusal = 'browser' | 'not-evaluated' | 'no-task' | 'no-solution' | 'no-place' | 'no-sandbox'

/**
 * Judges the solution in `folder` with this suite's tests. Of the envelope, only the paths and digests of the solution
 * are trusted. Rejects if the verifier itself fails.
 */
export async function judgeStored(
  folder: string,
  episode: StoredWork,
  task: LoadedTask | undefined,
  deps: JudgingDeps,
): Promise<Judged> {
  const refusal = refuse(episode, task, deps)
  if (refusal) return refusal
  if (!task || deps.judge === null) throw new Error('a task that is none was not refused')
  const judged = await deps.judge(folder, episode, task, deps)
  if ('refused' in judged) return judged
  const { outcome, contract } = episode
  const before = { status: outcome.status, verdict: contract?.verdict ?? null }
  const { contract: again, findings } = judged.evaluation
  const { verdict } = again
  return {
    ...judged,
    before,
    after: outcomeWithVerdict(before, { verdict, findings: findings.length }),
  }
}

function refuse(
  { browser, contract, taskId, taskDigest }: StoredWork,
  task: LoadedTask | undefined,
  { judge }: Pick<JudgingDeps, 'judge'>,
): Extract<Judged, { refused: string }> | null {
  if (browser || judge === null)
    return {
      refused: 'browser',
      reason:
        'a browser workflow is judged by what its app held at the end, which is gone: run it again instead',
    }
  if (contract === null)
    return { refused: 'not-evaluated', reason: 'its contract was never evaluated' }
  if (!task) return { refused: 'no-task', reason: `task ${taskId} is no longer in the suite here` }
  if (task.task.digest !== taskDigest)
    return {
      refused: 'no-task',
      reason: `task ${taskId} is another version here: that would be another contract`,
    }
  return null
}

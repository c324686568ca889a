import type { Gate } from '../../contracts/exercise/gate-types.ts'
import type { LoadedExercise } from '../task-folder.ts'
import { createJudges } from './judge.ts'
import { mutateTask } from './mutate-task.ts'
import type { MutationFile } from './mutation-file.ts'

export type MutatedTask = { task: LoadedExercise; result: MutationFile }

type Options = { concurrency: number; onTask: (mutated: MutatedTask) => Promise<void> }

/** Mutates one task after the other; `onTask` hears of each as it is done. */
export async function mutateSuite(
  tasks: readonly LoadedExercise[],
  gate: Gate,
  { concurrency, onTask }: Options,
): Promise<MutatedTask[]> {
  const done: MutatedTask[] = []
  for (const task of tasks) {
    const mutated = {
      task,
      result: await mutateTask(task, await createJudges(task, gate), concurrency),
    }
    await onTask(mutated)
    done.push(mutated)
  }
  return done
}

import type { Gate } from '../../contracts/exercise/gate-types.ts'
import type { LoadedExercise } from '../task-folder.ts'
import { countProof, type SuiteProof } from './count-proof.ts'
import { type CandidateResult, listUnalterable, verifyTask } from './verify-task.ts'

type Options = {
  concurrency: number
  leastWrong: number
  onTask: (taskId: string, results: readonly CandidateResult[]) => void
}

/** Proves every task with `concurrency` at a time; `onTask` hears of each as it is done. */
export async function verifySuite(
  tasks: readonly LoadedExercise[],
  gate: Gate,
  options: Options,
): Promise<SuiteProof> {
  const queue = [...tasks]
  const results: CandidateResult[] = []
  const unalterable: string[] = []
  const hand = async () => {
    for (let task = queue.shift(); task; task = queue.shift()) {
      const proven = await verifyTask(task, gate, options)
      options.onTask(task.task.taskId, proven)
      results.push(...proven)
      const unaltered = await listUnalterable(task, gate)
      unalterable.push(...unaltered.map((name) => `${task.task.taskId}: ${name}`))
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, hand))
  const tests = tasks.reduce((sum, { task }) => sum + task.expectedTests.length, 0)
  const heldOutTasks = tasks.filter(({ heldOut }) => heldOut !== null).length
  return countProof(
    { tasks: tasks.length, tests, heldOutTasks, unalterable: unalterable.sort() },
    results,
  )
}

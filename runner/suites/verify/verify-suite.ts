import type { Gate } from '../../contracts/exercise/gate-types.ts'
import type { LoadedExercise } from '../task-folder.ts'
import { type CandidateResult, verifyTask } from './verify-task.ts'

/** The self-test's counts; a sound suite has referenceSolved = tasks and the other four 0. */
export type SuiteProof = {
  tasks: number
  tests: number
  candidates: number
  referenceSolved: number
  nopSolved: number
  firstTestOnly: number
  firstTestOnlySolved: number
  wrong: number
  wrongSolved: number
  cheats: number
  cheatsSolved: number
  deviations: CandidateResult[]
}

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
  const hand = async () => {
    for (let task = queue.shift(); task; task = queue.shift()) {
      const proven = await verifyTask(task, gate, options)
      options.onTask(task.task.taskId, proven)
      results.push(...proven)
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, hand))
  return count(tasks, results)
}

function count(tasks: readonly LoadedExercise[], results: readonly CandidateResult[]): SuiteProof {
  const of = (kind: string) =>
    results.filter(({ candidate }) => candidate === kind || candidate.startsWith(`${kind}/`))
  const solved = (kind: string) => of(kind).filter((result) => result.solved).length
  return {
    tasks: tasks.length,
    tests: tasks.reduce((sum, { task }) => sum + task.expectedTests.length, 0),
    candidates: results.length,
    referenceSolved: solved('reference'),
    nopSolved: solved('nop'),
    firstTestOnly: of('first-test-only').length,
    firstTestOnlySolved: solved('first-test-only'),
    wrong: of('wrong').length,
    wrongSolved: solved('wrong'),
    cheats: of('cheat').length,
    cheatsSolved: solved('cheat'),
    deviations: results
      .filter(({ deviates }) => deviates !== null)
      .sort((a, b) => (a.taskId < b.taskId ? -1 : 1)),
  }
}

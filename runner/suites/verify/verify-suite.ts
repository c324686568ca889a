import type { ExerciseVerifier } from '../../verify/exercise/verifier-types.ts'
import { workThrough } from '../../work-through.ts'
import type { LoadedExercise } from '../task-folder.ts'
import { type CandidateResult, listUnalterable, verifyTask } from './verify-task.ts'

type Options = {
  concurrency: number
  leastWrong: number
  onTask: (taskId: string, results: readonly CandidateResult[]) => void
}

/** Proves every task with `concurrency` at a time; `onTask` is called after each. */
export async function verifySuite(
  tasks: readonly LoadedExercise[],
  verifier: ExerciseVerifier,
  options: Options,
): Promise<SuiteProof> {
  const results: CandidateResult[] = []
  const unalterable: string[] = []
  await workThrough(tasks, options.concurrency, async (task) => {
    const proven = await verifyTask(task, verifier, options)
    options.onTask(task.task.taskId, proven)
    results.push(...proven)
    const unaltered = await listUnalterable(task, verifier)
    unalterable.push(...unaltered.map((name) => `${task.task.taskId}: ${name}`))
  })
  const tests = tasks.reduce((sum, { task }) => sum + task.expectedTests.length, 0)
  const heldOutTasks = tasks.filter(({ heldOut }) => heldOut !== null).length
  return countProof(
    { tasks: tasks.length, tests, heldOutTasks, unalterable: unalterable.sort() },
    results,
  )
}

/** The self-test's counts; a sound suite has referenceSolved = tasks and the other four 0. */
export type SuiteProof = {
  tasks: number
  /** Expected tests of exercises, assertions of workflows. */
  tests: number
  candidates: number
  referenceSolved: number
  nopSolved: number
  firstTestOnly: number
  firstTestOnlySolved: number
  /** Solutions written from the instructions alone; all must be solved. */
  honest: number
  honestSolved: number
  wrong: number
  wrongSolved: number
  cheats: number
  cheatsSolved: number
  attacks: number
  attacksSolved: number
  /** Tasks whose solutions are compared with the reference on held-out inputs. */
  heldOutTasks: number
  /** Visible tests in which nothing can be altered, as `task: test`. */
  unalterable: string[]
  /** Controls that cannot fail on a task, as `task control: why`. */
  notApplicable: string[]
  deviations: CandidateResult[]
}

/** Sums the results of the candidates of a suite. */
export function countProof(
  given: Pick<SuiteProof, 'tasks' | 'tests' | 'heldOutTasks' | 'unalterable'>,
  results: readonly CandidateResult[],
): SuiteProof {
  const of = (kind: string) =>
    results.filter(({ candidate }) => candidate === kind || candidate.startsWith(`${kind}/`))
  const solved = (kind: string) => of(kind).filter((result) => result.solved).length
  return {
    ...given,
    candidates: results.length,
    referenceSolved: solved('reference'),
    nopSolved: solved('nop'),
    firstTestOnly: of('first-test-only').filter((one) => !one.notApplicable).length,
    firstTestOnlySolved: solved('first-test-only'),
    honest: of('honest').length,
    honestSolved: solved('honest'),
    wrong: of('wrong').length,
    wrongSolved: solved('wrong'),
    cheats: of('cheat').length,
    cheatsSolved: solved('cheat'),
    attacks: of('attack').length,
    attacksSolved: solved('attack'),
    notApplicable: results
      .flatMap(({ taskId, candidate, notApplicable: why }) =>
        why ? [`${taskId} ${candidate}: ${why}`] : [],
      )
      .sort(),
    deviations: results
      .filter(({ deviates }) => deviates !== null)
      .sort((a, b) => (a.taskId < b.taskId ? -1 : 1)),
  }
}

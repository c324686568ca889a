import { countOf } from '#lib/domain/text/index.ts'
import { writeError } from '../../cli/output.ts'
import {
  type CollectedSolution,
  collectSolution,
  evaluateContract,
} from '../../engine/evaluate-contract.ts'
import { usageError } from '../../runner-error.ts'
import type { SubjectDriver } from '../../subjects/subject-driver.ts'
import { completeTask, lockSuite } from '../../suites/complete-task.ts'
import { foldersWith } from '../../suites/folders-with.ts'
import { readMutation } from '../../suites/mutation-file.ts'
import { readTaskFolder } from '../../suites/read-task-folder.ts'
import type { LoadedExercise } from '../../suites/task-folder.ts'
import { verifySuite } from '../../suites/verify/verify-suite.ts'
import { findCopy, isSameProgram } from '../../verify/exercise/decide-tests.ts'
import type { ExerciseVerifier } from '../../verify/exercise/verifier-types.ts'
import { freezeForAgents, openForAgents } from '../agent-plans.ts'
import type { Kind } from '../kind.ts'
import { exerciseAdapter } from './exercise-adapter.ts'
import { judgeSolution } from './judge-solution.ts'

/** TypeScript exercises: a few solution files, judged by the verifier in its own processes. */
export const EXERCISE: Kind<LoadedExercise> = {
  name: 'exercise',
  usesVerifier: true,
  load: loadExercises,
  prove: (_, tasks, { verifier, ...how }) => verifySuite(tasks, verifier.get(), how),
  lock: ({ tasks }) => lockSuite(tasks),
  freeze: freezeForAgents,
  open: (plan, suite, parts) =>
    openForAgents(plan, suite, parts, {
      judging: 'bubblewrap',
      open: async () => {
        const verifier = parts.verifier.get()
        const { verifier: described, weakness } = await verifier.describe()
        if (weakness !== null) writeError(weakness)
        const { isolation } = parts
        const adapterOf = (driver: SubjectDriver) =>
          exerciseAdapter(driver, { verifier, isolation })
        return { adapterOf, verifier: described }
      },
    }),
  judgeFolder: async (task, folder, { verifier, signal, shown }) => {
    const solution = await collectSolution(task, folder)
    refuseEmpty(task, solution, shown)
    const { weakness } = await verifier.get().describe()
    if (weakness !== null) writeError(weakness)
    return evaluateContract(task, solution, verifier.get(), signal)
  },
  stored: {
    needsSandbox: false,
    judge: judgeSolution,
    findCopy: (files, { reference }) => findCopy(files, reference),
    isUntouched: async (_, files, { stubs }) => {
      const isStub = await Promise.all(
        files.map(async ({ path, text }) => {
          const stub = stubs.find((file) => file.path === path)
          return stub !== undefined && (await isSameProgram(stub.text, text))
        }),
      )
      return isStub.every(Boolean)
    },
  },
  describe: ({ task: { expectedTests, typeTests } }) =>
    `${countOf(expectedTests.length, 'test')}${typeTests ? ', type tests' : ''}`,
}

// A folder that looks like an incomplete task is reported, not left out.
const TASK_PARTS = ['.meta', '.docs']

async function loadExercises(folder: string, verifier: () => ExerciseVerifier) {
  const exercises = foldersWith(folder, TASK_PARTS).map((path) => readTaskFolder(path))
  const tasks: LoadedExercise[] = []
  for (const exercise of exercises) tasks.push(withMutation(await completeTask(exercise, verifier)))
  return { tasks }
}

/** Counts about a task's tests are not part of its identity: its digest stays the same. */
function withMutation(exercise: LoadedExercise): LoadedExercise {
  const mutation = readMutation(exercise)
  return mutation ? { ...exercise, task: { ...exercise.task, mutation } } : exercise
}

function refuseEmpty(
  { task }: LoadedExercise,
  { files, findings }: CollectedSolution,
  place: string,
): void {
  if (files.length > 0 || findings.length > 0) return
  const wanted = task.files.solution.join(', ')
  throw usageError(`${place} has none of the solution files of ${task.taskId}: ${wanted}`)
}

import type { Command } from 'commander'
import { addMutations, type Mutation, survivingShare } from '#lib/domain/tasks/index.ts'
import { countOf, formatShare } from '#lib/domain/text/index.ts'
import { withSuite } from '../../cli/open-suite.ts'
import { countOption, nameList } from '../../cli/options.ts'
import { printJsonResult, printResult, writeError } from '../../cli/output.ts'
import { EXERCISE } from '../../kinds/exercise/exercise.ts'
import { tasksOf } from '../../kinds/kind.ts'
import { usageError } from '../../runner-error.ts'
import { readMutation, writeMutation } from '../mutation-file.ts'
import { selectTasks } from '../select-tasks.ts'
import { type MutatedTask, mutateSuite } from './mutate-suite.ts'

type MutateOptions = {
  tasks?: string[]
  stale?: boolean
  concurrency: number
  write?: boolean
  json?: boolean
}

/** `proofboard suite mutate`: counts how many small mistakes in a reference its tests miss. */
export function addMutateCommand(suite: Command): void {
  suite
    .command('mutate')
    .description('mutation-test the suites: count mutants of the references that pass')
    .argument('<suite>')
    .option('--tasks <a,b>', 'only these tasks', nameList)
    .option('--stale', 'only tasks without current results')
    .option('--concurrency <n>', 'concurrent mutants', countOption('--concurrency', 16), 2)
    .option('--write', 'store the results of each task in .meta/mutation.json')
    .option('--json', 'print JSON as the last line of stdout')
    .action(mutate)
}

async function mutate(name: string, options: MutateOptions): Promise<void> {
  const start = performance.now()
  return withSuite(name, async (suite, verifier) => {
    const exercises = tasksOf(EXERCISE, suite)
    if (exercises === null)
      throw usageError(
        `${name} is a ${suite.kind.name} suite: only references of exercises can be mutated`,
      )
    const selected = selectTasks(exercises, options.tasks ?? null)
    const tasks = options.stale
      ? selected.filter((task) => readMutation(task)?.isStale !== false)
      : selected
    const onTask = async ({ task, result }: MutatedTask) => {
      if (options.write) await writeMutation(task, result)
      writeError(taskLine(task.task.taskId, result))
    }
    const done = await mutateSuite(tasks, verifier.get(), {
      concurrency: options.concurrency,
      onTask,
    })
    report(suite.suite.suiteId, done, options.json ?? false, Math.round(performance.now() - start))
  })
}

function report(
  suiteId: string,
  done: readonly MutatedTask[],
  json: boolean,
  durationMs: number,
): void {
  const total = addMutations(done.map(({ result }) => result))
  if (!json) {
    printResult(taskLine(suiteId, total))
    return
  }
  const tasks = done.map(({ task, result: { madeFrom: _, heldOut: __, ...result } }) => ({
    taskId: task.task.taskId,
    ...result,
    caughtByHeldOutOnly: heldOutOnly(result),
    survivingShare: survivingShare(result),
  }))
  const { wrong, wrongCaught, ...counts } = total
  printJsonResult({
    suiteId,
    tasks,
    ...counts,
    caughtByHeldOutOnly: heldOutOnly(total),
    survivingShare: survivingShare(total),
    wrong,
    wrongCaught,
    durationMs,
  })
}

/** Counts mutants that pass the visible tests and are caught by the held-out scenario. */
function heldOutOnly({
  compiled,
  caughtByVisible,
  caughtByHeldOut,
  surviving,
}: Mutation): number | null {
  return caughtByHeldOut === null ? null : compiled - caughtByVisible - surviving
}

function taskLine(name: string, mutation: Mutation): string {
  const { mutants, compiled, caughtByVisible, surviving, wrong, wrongCaught } = mutation
  const only = heldOutOnly(mutation)
  const share = survivingShare(mutation)
  const parts = [
    `${countOf(mutants, 'mutant')}, ${compiled} compile`,
    `${caughtByVisible} caught by visible tests`,
    ...(only === null ? [] : [`${only} by the held-out scenario only`]),
    `${surviving} survive${share === null ? '' : ` (${formatShare(share, 1)} %)`}`,
    `${wrongCaught} of ${countOf(wrong, 'wrong solution')} caught`,
  ]
  return `${name}: ${parts.join(', ')}`
}

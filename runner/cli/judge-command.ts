import { existsSync, realpathSync } from 'node:fs'
import type { Command } from 'commander'
import type { Assertion } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { ContractEvaluation } from '../engine/evaluate-contract.ts'
import type { LoadedSuite } from '../kinds/kind.ts'
import { usageError } from '../runner-error.ts'
import { selectTasks } from '../suites/select-tasks.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import { isFolder } from '../user-files.ts'
import { withSuite } from './open-suite.ts'
import { commandSignal, printJsonResult, printResult } from './output.ts'

type Options = { task: string; suite: string; json?: boolean }

/** `proofboard judge`: judges the code in a folder. Exit 0 = solved, 1 = not; seals nothing. */
export function addJudgeCommand(program: Command): void {
  program
    .command('judge')
    .description('judge the code in a folder as an attempt would be judged; stores nothing')
    .argument('<folder>', 'a folder with the solution files of the task')
    .requiredOption('--task <name>', 'the task')
    .option('--suite <name|path>', 'the suite of the task', 'typescript')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(judge)
}

async function judge(place: string, options: Options): Promise<void> {
  const folder = findFolder(place)
  const signal = commandSignal({ stopWithStdin: false })
  return withSuite(options.suite, async (suite, verifier) => {
    const task = findTask(suite, options)
    const how = { verifier, signal, shown: place }
    print(task, await suite.kind.judgeFolder(task, folder, how), options)
  })
}

/** The named folder may be a link; links inside it are compared as links. */
function findFolder(place: string): string {
  if (isFolder(place)) return realpathSync(place)
  const what = existsSync(place) ? 'is not a folder' : 'does not exist'
  throw usageError(`${place} ${what}: enter the folder of the code`)
}

function findTask({ kind, tasks }: LoadedSuite, { suite: name, task }: Options): LoadedTask {
  if (kind.refuseFolder !== undefined) throw usageError(kind.refuseFolder)
  const [found] = selectTasks(tasks, [task])
  if (found) return found
  throw usageError(`suite ${name} has no task ${task}`, '--task')
}

function print(
  { task }: LoadedTask,
  evaluation: Pick<ContractEvaluation, 'contract' | 'findings'>,
  { json }: Options,
): void {
  const { contract, findings } = evaluation
  const status =
    findings.length > 0 ? 'tampered' : contract.verdict === 'pass' ? 'solved' : 'unsolved'
  process.exitCode = status === 'solved' ? 0 : 1
  const { expectedTests, passedTests, assertions, verdict } = contract
  if (json) {
    const { taskId } = task
    printJsonResult({ taskId, status, verdict, expectedTests, passedTests, assertions, findings })
    return
  }
  const failed = listFailed(assertions).map((line) => `  failed: ${line}`)
  const found = findings.map(({ code, detail }) => `  ${code}: ${detail}`)
  const tests = `${passedTests} of ${countOf(expectedTests ?? 0, 'test')} passed`
  printResult([`${task.taskId}: ${status}, ${tests}`, ...failed, ...found].join('\n'))
}

const MAX_LINES = 20

/** Lists the failed leaves, which a person can act on. */
function listFailed(assertions: readonly Assertion[]): string[] {
  const leaves = (one: Assertion): Assertion[] =>
    one.children.length > 0 ? one.children.flatMap(leaves) : [one]
  const lines = assertions
    .flatMap(leaves)
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ label, expected, observed }) => `${label}: expected ${expected}, observed ${observed}`)
  const rest = lines.length - MAX_LINES
  return rest > 0 ? [...lines.slice(0, MAX_LINES), `and ${rest} more`] : lines
}

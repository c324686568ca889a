import { existsSync, realpathSync } from 'node:fs'
import type { Command } from 'commander'
import type { Assertion } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import {
  type CollectedSolution,
  type ContractEvaluation,
  collectSolution,
  evaluateContract,
} from '../engine/evaluate-contract.ts'
import type { LoadedHarbor } from '../harbor/harbor-folder.ts'
import { judgeWork } from '../repository/judge-work.ts'
import { permissionsOf } from '../repository/permissions.ts'
import { prepareBase } from '../repository/prepare-base.ts'
import { takeChanges } from '../repository/take-changes.ts'
import { usageError } from '../runner-error.ts'
import { selectTasks } from '../suites/load-suite.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import { type AgentTask, isRepository, type LoadedExercise } from '../suites/task-folder.ts'
import { isFolder } from '../user-files.ts'
import { LazyVerifier, openSuite } from './open-suite.ts'
import { commandSignal, printJsonResult, printResult, writeError } from './output.ts'
import { withJudging } from './with-judging.ts'

type JudgedTask = Exclude<AgentTask, LoadedHarbor>
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
  const verifier = new LazyVerifier()
  const signal = commandSignal({ stopWithStdin: false })
  try {
    const task = await findTask(options, verifier)
    if (isRepository(task)) return tell(task, await judgeRepository(task, folder), options)
    const solution = await collectSolution(task, folder)
    refuseEmpty(task, solution, place)
    const { weakness } = await verifier.get().describe()
    if (weakness !== null) writeError(weakness)
    const evaluation = await evaluateContract(task, solution, verifier.get(), signal)
    tell(task, evaluation, options)
  } finally {
    await verifier.close()
  }
}

/** The named folder may be a link; links inside it are compared as links. */
function findFolder(place: string): string {
  if (isFolder(place)) return realpathSync(place)
  const what = existsSync(place) ? 'is not a folder' : 'does not exist'
  throw usageError(`${place} ${what}: enter the folder of the code`)
}

async function findTask(
  { suite: name, task }: Options,
  verifier: LazyVerifier,
): Promise<JudgedTask> {
  const suite = await openSuite(name, verifier)
  if (suite.kind === 'browser')
    throw usageError('a browser workflow is judged by the state of its app: judge takes exercises')
  if (suite.kind === 'harbor')
    throw usageError('a task in Harbor’s format is judged in its own container: run it instead')
  const [found] = selectTasks<JudgedTask>(suite.tasks, [task])
  if (found) return found
  throw usageError(`suite ${name} has no task ${task}`, '--task')
}

/** Judges the folder like a subject's workspace: compared with the prepared repository, and judged from the patch. */
async function judgeRepository(task: LoadedRepository, folder: string) {
  if (task.unproven !== null) throw usageError(`${task.task.taskId} ${task.unproven}`, '--task')
  return withJudging(async (settings) => {
    const base = await prepareBase(task, settings)
    const permissionOf = permissionsOf(task.task, new Set(task.tests.map(({ path }) => path)))
    const work = await takeChanges(base.entries, folder, { permissionOf, droppings: [] })
    return judgeWork(task, base, work, settings)
  })
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

function tell(
  { task }: JudgedTask,
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

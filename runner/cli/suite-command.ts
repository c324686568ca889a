import type { Command } from 'commander'
import { countOf } from '#lib/domain/record/index.ts'
import {
  type Exercise,
  faultsOf,
  type HarborTask,
  kindOf,
  type Suite,
  type Task,
  type Workflow,
} from '#lib/domain/tasks/index.ts'
import { leftOutLines } from '../harbor/load-harbor-suite.ts'
import { usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { lockSuite } from '../suites/complete-task.ts'
import { listSuiteLocations, type SuiteLocation } from '../suites/find-suite.ts'
import { type LoadedSuite, selectTasks } from '../suites/load-suite.ts'
import { dataFolder } from '../suites/project-paths.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import type { SuiteProof } from '../suites/verify/verify-suite.ts'
import type { CandidateResult } from '../suites/verify/verify-task.ts'
import { warningsOf } from '../suites/verify/warnings-of.ts'
import { addImportCommand } from './import-command.ts'
import { addMutateCommand } from './mutate-command.ts'
import { LazyVerifier, openSuite } from './open-suite.ts'
import { countOption, nameList } from './options.ts'
import { printJsonResult, printResult, writeError } from './output.ts'
import { addOwnSuiteCommands } from './own-suite-commands.ts'
import { proveSuite } from './prove-suite.ts'

type VerifyOptions = {
  tasks?: string[]
  concurrency: number
  runs: number
  wrong?: number
  json?: boolean
}

/** `proofboard suite …`: list, show, add, remove, verify, lock, mutate, import. */
export function addSuiteCommand(program: Command): void {
  const suite = program
    .command('suite')
    .description('list, show, add, verify, lock, mutate and import suites')
  suite
    .command('list')
    .description('list suites')
    .option('--json', 'print JSON as the last line of stdout')
    .option('--whole', 'with --json: each suite with its tasks, or why it cannot be read')
    .action(list)
  suite
    .command('show')
    .description('show a suite and its tasks')
    .argument('<suite>')
    .option('--json', 'print JSON as the last line of stdout')
    .action(show)
  suite
    .command('verify')
    .description(
      'verify every task: the reference passes; nop, first-test-only, cheats and wrong solutions fail; a repository task stores its expected test names',
    )
    .argument('<suite>')
    .option('--tasks <a,b>', 'only these tasks', nameList)
    .option('--concurrency <n>', 'concurrent tasks', countOption('--concurrency', 16), 2)
    .option(
      '--wrong <n>',
      'browser suites: maximum number of wrong drivers per task',
      countOption('--wrong'),
    )
    .option(
      '--runs <n>',
      'repository tasks: how often in a row the reference must be solved',
      countOption('--runs', 20),
      3,
    )
    .option('--json', 'print JSON as the last line of stdout')
    .action(verify)
  suite
    .command('lock')
    .description('store the expected test names of each task')
    .argument('<suite>')
    .action(lock)
  addMutateCommand(suite)
  addOwnSuiteCommands(suite)
  addImportCommand(suite)
}

async function list(options: { json?: boolean; whole?: boolean }): Promise<void> {
  const places = listSuiteLocations(dataFolder(RUNNER_ENV))
  if (options.json && options.whole) printJsonResult({ suites: await readWhole(places) })
  else if (options.json) printJsonResult({ suites: places })
  else
    for (const { suiteId, origin, folder } of places)
      printResult(`${suiteId.padEnd(20)} ${origin.padEnd(9)} ${folder}`)
}

/** A suite that cannot be read is reported and does not affect the others. Private suites are not for boards. */
async function readWhole(all: readonly SuiteLocation[]) {
  const places = all.filter(({ isPrivate }) => !isPrivate)
  const suites: (SuiteLocation & ({ suite: Suite } | { suite: null; problem: string }))[] = []
  for (const place of places) {
    try {
      await withSuite(place.suiteId, async ({ suite }) => void suites.push({ ...place, suite }))
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      suites.push({ ...place, suite: null, problem })
    }
  }
  return suites
}

async function show(name: string, options: { json?: boolean }): Promise<void> {
  await withSuite(name, async (loaded) => {
    const { suite } = loaded
    for (const line of listLeftOut(loaded)) writeError(`warning: ${line}`)
    if (options.json) return printJsonResult({ suite })
    printResult(
      `${suite.title} (${suite.suiteId} ${suite.version}), ${countOf(suite.tasks.length, 'task')}, ${suite.digest}`,
    )
    for (const task of suite.tasks) {
      const { taskId, difficulty, category } = task
      printResult(
        `  ${taskId.padEnd(28)} ${difficulty.padEnd(7)} ${category.padEnd(22)} ${describeTask(task)}`,
      )
      for (const note of notesOf(task)) printResult(`    ${note}`)
    }
  })
}

function listLeftOut(suite: LoadedSuite): string[] {
  return suite.kind === 'harbor' ? leftOutLines(suite.leftOut) : []
}

function notesOf(task: Task): readonly string[] {
  if ('notes' in task) return task.notes
  return 'importNotes' in task ? (task.importNotes ?? []) : []
}

function describeTask(task: Task): string {
  const known = kindOf(task)
  switch (known.kind) {
    case 'browser':
      return describeWorkflow(known.task)
    case 'repository':
      return `${known.task.verify.report.format}, ${countOf(known.task.expectedTests.length, 'test')}`
    case 'harbor':
      return describeHarbor(known.task)
    case 'reported':
      return 'reported by another program'
    case 'exercise':
      return describeExercise(known.task)
  }
}

function describeExercise({ expectedTests, typeTests }: Exercise): string {
  return `${countOf(expectedTests.length, 'test')}${typeTests ? ', type tests' : ''}`
}

function describeHarbor({ place, verifier }: HarborTask): string {
  const where = place.kind === 'files' ? 'folder' : 'image'
  return `${where}, reward, network ${verifier.network}`
}

function describeWorkflow(task: Workflow): string {
  const { app, contract } = task
  return `${app}, ${countOf(contract.length, 'assertion')}, ${countOf(faultsOf(task).length, 'fault')}`
}

async function lock(name: string): Promise<void> {
  await withSuite(name, async (suite) => {
    if (suite.kind !== 'exercise')
      throw usageError(
        suite.kind === 'browser'
          ? `${name} is a browser suite: it has no test names to keep`
          : suite.kind === 'harbor'
            ? `${name} is a suite in Harbor’s format: it has no test names to keep`
            : `${name} is a suite of repository tasks: "proofboard suite verify ${name}" stores their test names`,
      )
    printResult(`${countOf(await lockSuite(suite.tasks), 'task')} locked`)
  })
}

async function verify(name: string, options: VerifyOptions): Promise<void> {
  await withSuite(name, async (suite, verifier) => {
    const start = performance.now()
    const onTask = (taskId: string, results: readonly CandidateResult[]) =>
      writeError(taskLine(taskId, results))
    const { concurrency, tasks: names = null } = options
    const how = { concurrency, leastWrong: 0, onTask }
    const proof = await proveSuite(suite, verifier, names, { ...options, ...how })
    const durationMs = Math.round(performance.now() - start)
    const leftOut = listLeftOut(suite)
    const ofTasks = selectTasks<LoadedTask>(suite.tasks, names).flatMap((task) =>
      warningsOf(task).map((warning) => `${task.task.taskId}: ${warning}`),
    )
    const warnings = [...leftOut, ...ofTasks]
    printProof({ ...proof, warnings }, options.json ? durationMs : null)
    if (proof.deviations.length > 0 || leftOut.length > 0) process.exitCode = 1
  })
}

/** `durationMs` null = output for people. */
function printProof(
  { warnings, ...proof }: SuiteProof & { warnings: readonly string[] },
  durationMs: number | null,
): void {
  for (const warning of warnings) writeError(`warning: ${warning}`)
  for (const { taskId, candidate, deviates, observed } of proof.deviations)
    writeError(
      `DEVIATES ${taskId} ${candidate}: ${deviates}${observed === deviates ? '' : ` (${observed})`}`,
    )
  for (const test of proof.unalterable) writeError(`no expectation to alter in ${test}`)
  for (const control of proof.notApplicable) writeError(`not applicable: ${control}`)
  const { deviations: _, unalterable, notApplicable, ...rest } = proof
  const own = { unalterable: unalterable.length, notApplicable: notApplicable.length }
  const words = Object.entries({ ...rest, ...own }).map(([key, value]) => `${key} ${value}`)
  if (durationMs === null) printResult(words.join(', '))
  else printJsonResult({ ...proof, warnings, durationMs })
}

function taskLine(taskId: string, results: readonly CandidateResult[]): string {
  const bad = results.filter(({ deviates }) => deviates !== null).length
  return `${bad === 0 ? 'proven  ' : 'DEVIATES'} ${taskId}: ${countOf(results.length, 'candidate')}`
}

async function withSuite(
  name: string,
  use: (suite: Awaited<ReturnType<typeof openSuite>>, verifier: LazyVerifier) => Promise<void>,
): Promise<void> {
  const verifier = new LazyVerifier()
  try {
    await use(await openSuite(name, verifier), verifier)
  } finally {
    await verifier.close()
  }
}

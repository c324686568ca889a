import type { Command } from 'commander'
import type { Suite, Task } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { listSuiteLocations, type SuiteLocation } from '../kinds/find-suite.ts'
import { refuseEnv } from '../kinds/kind.ts'
import { suiteError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { leftOutLines } from '../suites/left-out.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { selectTasks } from '../suites/select-tasks.ts'
import type { SuiteProof } from '../suites/verify/verify-suite.ts'
import type { CandidateResult } from '../suites/verify/verify-task.ts'
import { listWarnings } from '../suites/verify/warnings-of.ts'
import { EXTRA_IMPORT_COMMANDS, EXTRA_SUITE_COMMANDS } from './extra-commands.ts'
import { addImportCommand } from './import-command.ts'
import { withSuite } from './open-suite.ts'
import { countOption, envOption, nameList } from './options.ts'
import { printJsonResult, printResult, writeError } from './output.ts'
import { addOwnSuiteCommands } from './own-suite-commands.ts'

type VerifyOptions = {
  tasks?: string[]
  concurrency: number
  runs: number
  wrong?: number
  env?: string[]
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
    .addOption(envOption())
    .option('--json', 'print JSON as the last line of stdout')
    .action(verify)
  suite
    .command('lock')
    .description('store the expected test names of each task')
    .argument('<suite>')
    .action(lock)
  for (const add of EXTRA_SUITE_COMMANDS) add(suite)
  addOwnSuiteCommands(suite)
  const importing = addImportCommand(suite)
  for (const add of EXTRA_IMPORT_COMMANDS) add(importing)
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
      await withSuite(place.suiteId, async ({ suite }) => {
        const same = suites.find((other) => other.suite?.digest === suite.digest)
        if (same) throw suiteError(sameTasks(suite.suiteId, same.suiteId))
        suites.push({ ...place, suite })
      })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      suites.push({ ...place, suite: null, problem })
    }
  }
  return suites
}

/** A board belongs to the digest of its tasks, so the second suite would take over that of the first. */
const sameTasks = (suiteId: string, other: string) =>
  `the suite ${suiteId} has the same tasks as ${other}, whose board shows the runs of both: remove one of them, or change a task`

async function show(name: string, options: { json?: boolean }): Promise<void> {
  await withSuite(name, async (loaded) => {
    const { suite } = loaded
    for (const line of leftOutLines(loaded.leftOut)) writeError(`warning: ${line}`)
    if (options.json) return printJsonResult({ suite })
    printResult(
      `${suite.title} (${suite.suiteId} ${suite.version}), ${countOf(suite.tasks.length, 'task')}, ${suite.digest}`,
    )
    for (const loadedTask of loaded.tasks) {
      const { task } = loadedTask
      const { taskId, difficulty, category } = task
      printResult(
        `  ${taskId.padEnd(28)} ${difficulty.padEnd(7)} ${category.padEnd(22)} ${loaded.kind.describe(loadedTask)}`,
      )
      for (const note of notesOf(task)) printResult(`    ${note}`)
    }
  })
}

function notesOf(task: Task): readonly string[] {
  if ('notes' in task) return task.notes
  return 'importNotes' in task ? (task.importNotes ?? []) : []
}

async function lock(name: string): Promise<void> {
  await withSuite(name, async (suite) => {
    printResult(`${countOf(await suite.kind.lock(suite), 'task')} locked`)
  })
}

async function verify(name: string, options: VerifyOptions): Promise<void> {
  await withSuite(name, async (suite, verifier) => {
    refuseEnv(suite.kind, options.env)
    const start = performance.now()
    const onTask = (taskId: string, results: readonly CandidateResult[]) =>
      writeError(taskLine(taskId, results))
    const { concurrency, tasks: names = null } = options
    const how = { concurrency, leastWrong: 0, onTask }
    const chosen = selectTasks(suite.tasks, names)
    const proof = await suite.kind.prove(suite, chosen, { ...options, ...how, verifier })
    const durationMs = Math.round(performance.now() - start)
    const leftOut = leftOutLines(suite.leftOut)
    const warnings = [...leftOut, ...listWarnings(chosen)]
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

import { join } from 'node:path'
import type { Command } from 'commander'
import { slugSchema } from '#lib/domain/record/index.ts'
import {
  type Exercise,
  faultsOf,
  type HarborTask,
  kindOf,
  type Suite,
  type Task,
  type Workflow,
} from '#lib/domain/tasks/index.ts'
import { usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { lockSuite } from '../suites/complete-task.ts'
import type { Admission } from '../suites/exercism/admit-task.ts'
import { fetchTrack } from '../suites/exercism/fetch-track.ts'
import { importTrack } from '../suites/exercism/import-track.ts'
import { listSuiteLocations, type SuiteLocation } from '../suites/find-suite.ts'
import { dataFolder } from '../suites/project-paths.ts'
import type { SuiteProof } from '../suites/verify/verify-suite.ts'
import type { CandidateResult } from '../suites/verify/verify-task.ts'
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

/** One suite that cannot be read says why, and keeps no other back. What is private is for no board. */
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
  await withSuite(name, async ({ suite }) => {
    if (options.json) return printJsonResult({ suite })
    printResult(
      `${suite.title} (${suite.suiteId} ${suite.version}), ${suite.tasks.length} tasks, ${suite.digest}`,
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
      return `${known.task.verify.report.format}, ${known.task.expectedTests.length} tests`
    case 'harbor':
      return describeHarbor(known.task)
    case 'reported':
      return 'reported by another program'
    case 'exercise':
      return describeExercise(known.task)
  }
}

function describeExercise({ expectedTests, typeTests }: Exercise): string {
  return `${expectedTests.length} tests${typeTests ? ', type tests' : ''}`
}

function describeHarbor({ place, verifier }: HarborTask): string {
  const where = place.kind === 'files' ? 'folder' : 'image'
  return `${where}, reward, network ${verifier.network}`
}

function describeWorkflow(task: Workflow): string {
  const { app, contract } = task
  return `${app}, ${contract.length} assertions, ${faultsOf(task).length} faults`
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
    printResult(`${await lockSuite(suite.tasks)} tasks locked`)
  })
}

async function verify(name: string, options: VerifyOptions): Promise<void> {
  await withSuite(name, async (suite, gate) => {
    const start = performance.now()
    const onTask = (taskId: string, results: readonly CandidateResult[]) =>
      writeError(taskLine(taskId, results))
    const { concurrency, tasks: names = null } = options
    const how = { concurrency, leastWrong: 0, onTask }
    const proof = await proveSuite(suite, gate, names, { ...options, ...how })
    const durationMs = Math.round(performance.now() - start)
    printProof(proof, options.json ? durationMs : null)
    if (proof.deviations.length > 0) process.exitCode = 1
  })
}

/** `durationMs` null = for people. */
function printProof(proof: SuiteProof, durationMs: number | null): void {
  for (const { taskId, candidate, deviates, observed } of proof.deviations)
    writeError(`DEVIATES ${taskId} ${candidate}: ${deviates} (${observed})`)
  for (const test of proof.unalterable) writeError(`no expectation to alter in ${test}`)
  for (const control of proof.notApplicable) writeError(`not applicable: ${control}`)
  const { deviations: _, unalterable, notApplicable, ...rest } = proof
  const own = { unalterable: unalterable.length, notApplicable: notApplicable.length }
  const words = Object.entries({ ...rest, ...own }).map(([key, value]) => `${key} ${value}`)
  if (durationMs === null) printResult(words.join(', '))
  else printJsonResult({ ...proof, durationMs })
}

function taskLine(taskId: string, results: readonly CandidateResult[]): string {
  const bad = results.filter(({ deviates }) => deviates !== null).length
  return `${bad === 0 ? 'proven  ' : 'DEVIATES'} ${taskId}: ${results.length} candidates`
}

async function withSuite(
  name: string,
  use: (suite: Awaited<ReturnType<typeof openSuite>>, gate: LazyVerifier) => Promise<void>,
): Promise<void> {
  const gate = new LazyVerifier()
  try {
    await use(await openSuite(name, gate), gate)
  } finally {
    await gate.close()
  }
}

type Options = {
  from: string
  ref?: string
  all?: boolean
  tasks?: string[]
  patched: boolean
  as: string
  concurrency: number
  json?: boolean
}

/** `proofboard suite import exercism`: practice exercises of a track, admitted one by one. */
function addImportCommand(suite: Command): void {
  suite
    .command('import')
    .description('import a suite: exercism')
    .argument('<track>', 'exercism')
    .requiredOption('--from <dir or git url>', 'where the track is')
    .option('--ref <sha>', 'commit, tag or branch')
    .option('--all', 'every practice exercise instead of the 25 that ts-bench curated')
    .option('--tasks <a,b>', 'only these exercises', nameList)
    .option('--patched', 'repair known defects of the track, each named on its task', true)
    .option('--no-patched', 'take every exercise as the track has it')
    .option('--as <suite>', 'name of the suite', 'exercism')
    .option('--concurrency <n>', 'concurrent exercises', countOption('--concurrency', 16), 2)
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(execute)
}

async function execute(track: string, options: Options): Promise<void> {
  if (track !== 'exercism') throw usageError(`only "exercism" can be imported, not "${track}"`)
  if (!slugSchema.safeParse(options.as).success)
    throw usageError('--as must be lower-case letters, digits and dashes')
  process.umask(0o077) // only the owner may read references
  const gate = new LazyVerifier()
  const source = await fetchTrack(options.from, options.ref ?? null)
  try {
    const selection = options.all ? ('all' as const) : (options.tasks ?? null)
    const settings = {
      suiteId: options.as,
      selection,
      patched: options.patched,
      concurrency: options.concurrency,
      onTask: tell,
    }
    const report = await importTrack(
      source,
      join(dataFolder(RUNNER_ENV), 'suites'),
      gate.get(),
      settings,
    )
    const { admitted, patched, rejected, folder } = report
    if (options.json)
      printJsonResult({
        suite: options.as,
        ref: source.ref,
        admitted: admitted.length,
        patched,
        rejected,
        folder,
      })
    else
      printResult(
        `${admitted.length} admitted (${patched.length} with a note), ${rejected.length} rejected: suite ${options.as} in ${folder}`,
      )
  } finally {
    await gate.close()
    await source.release()
  }
}

function tell(admission: Admission): void {
  const lines = admission.admitted
    ? [`admitted ${admission.taskId}`, ...admission.patches.map((did) => `         ${did}`)]
    : [`rejected ${admission.taskId}: ${admission.reason}`]
  writeError(lines.join('\n'))
}

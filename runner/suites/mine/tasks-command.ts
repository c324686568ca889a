import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { matchesAny, REPORT_FORMATS } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { countOption } from '../../cli/options.ts'
import { printJsonResult, printResult } from '../../cli/output.ts'
import { type Steps, showSteps } from '../../cli/show-steps.ts'
import { withJudging } from '../../cli/with-judging.ts'
import { permissionsOf } from '../../repository/permissions.ts'
import type { BaseSettings } from '../../repository/prepare-base.ts'
import { stoppedError, usageError } from '../../runner-error.ts'
import { TEST_GLOBS } from './choose-candidate.ts'
import { describeCounts, mineHistory } from './mine-history.ts'
import { describeJudged, type JudgedCommit, type Mined } from './mined-file.ts'
import { findRunner, guessAt } from './mined-runner.ts'
import { type History, listCommits, openHistory } from './open-history.ts'
import type { MineOptions } from './try-candidate.ts'
import { requireCopied } from './write-task.ts'

type Options = {
  out: string
  branch?: string
  since?: string
  until?: string
  maxCommits: number
  firstParent: boolean
  setup?: string[]
  verify?: string
  report?: (typeof REPORT_FORMATS)[number]
  tests?: string[]
  copy?: string[]
  selfContained?: boolean
  offline?: boolean
  nameTests?: boolean
  runs: number
  timeout: number
  minutes: number
  mostFiles: number
  mostLines: number
  limit?: number
  concurrency: number
  json?: boolean
}

/** `proofboard tasks mine`: makes tasks from the history of a repository. */
export function addTasksCommand(program: Command): void {
  const mine = program
    .command('tasks')
    .description('make tasks of your own')
    .command('mine')
    .description(
      'make repository tasks from commits whose tests fail before and pass after them; verify each, and report why the others were rejected',
    )
    .argument('<repository>', 'folder or git URL')
    .requiredOption('--out <folder>', 'the suite that is made; an interrupted call is continued')
  addRange(mine)
  addRunner(mine)
  addLimits(mine)
  mine.option('--json', 'print JSON as the last line of stdout').action(execute)
}

const DAY = /^[\w][\w .:+-]*$/

function dayOption(flag: string): (text: string) => string {
  return (text) => {
    if (DAY.test(text)) return text
    throw usageError(`${flag} must be a date such as 2026-01-31, not "${text.slice(0, 60)}"`, flag)
  }
}

const another = (text: string, before: string[] = []) => [...before, text]

function globs(text: string, before: string[] = []): string[] {
  return [
    ...before,
    ...text
      .split(',')
      .map((glob) => glob.trim())
      .filter(Boolean),
  ]
}

function addRange(mine: Command): void {
  mine
    .option('--branch <name>', 'branch or tag to walk back from (default: HEAD)')
    .option('--since <date>', 'only commits since then', dayOption('--since'))
    .option('--until <date>', 'only commits until then', dayOption('--until'))
    .option(
      '--max-commits <n>',
      'check at most this many commits',
      countOption('--max-commits', 100_000),
      USUAL.maxCommits,
    )
    .option('--no-first-parent', 'walk merged branches as well')
}

function addRunner(mine: Command): void {
  mine
    .option(
      '--setup <command>',
      'run once before the work, as often as given (default: guessed)',
      another,
    )
    .option(
      '--verify <command>',
      'runs the tests; {tests} = those of the commit, {report} = where the report goes',
    )
    .addOption(
      new Option('--report <format>', 'what the verify command writes').choices(REPORT_FORMATS),
    )
    .option(
      '--tests <globs>',
      'which files are tests; with a leading !: tests that are not run',
      globs,
    )
    .option(
      '--copy <folders>',
      'installed files of the local folder that every task gets, as node_modules',
      globs,
    )
    .option(
      '--self-contained',
      'put the files of the parent commit into each task (default for a folder)',
    )
    .option('--no-self-contained', 'name the repository and the commit instead (default for a URL)')
    .option('--offline', 'no network for the set-up')
    .option(
      '--name-tests',
      'name the tests that turn in every instruction, also where the message says nothing',
    )
}

function addLimits(mine: Command): void {
  mine
    .option(
      '--runs <n>',
      'how often in a row the commit must be solved',
      countOption('--runs', 20),
      USUAL.runs,
    )
    .option(
      '--timeout <seconds>',
      'most time for one verify command',
      countOption('--timeout', 3600),
      USUAL.timeout,
    )
    .option(
      '--minutes <n>',
      'most time for one commit',
      countOption('--minutes', 600),
      USUAL.minutes,
    )
    .option(
      '--most-files <n>',
      'most files of a change besides its tests',
      countOption('--most-files'),
      USUAL.mostFiles,
    )
    .option(
      '--most-lines <n>',
      'most lines of a change besides its tests',
      countOption('--most-lines', 100_000),
      USUAL.mostLines,
    )
    .option('--limit <n>', 'stop at this many tasks', countOption('--limit'))
    .option(
      '--concurrency <n>',
      'commits at the same time',
      countOption('--concurrency', 16),
      USUAL.concurrency,
    )
}

async function execute(repository: string, options: Options): Promise<void> {
  const steps = showSteps('trying commits')
  const onJudged = (judged: JudgedCommit) => steps.line(describeJudged(judged))
  const mined = await mineTasks(repository, options, { steps, onJudged }).finally(steps.end)
  print(mined, options)
}

/** The output while commits are tried. */
type Watch = { steps: Steps; onJudged: (judged: JudgedCommit) => void }

/** Defaults of `tasks mine`. */
const USUAL = {
  maxCommits: 1000,
  firstParent: true,
  runs: 3,
  timeout: 300,
  minutes: 30,
  mostFiles: 30,
  mostLines: 1000,
  concurrency: 2,
}

/** Mines with the defaults of `tasks mine` and stops at `limit` tasks; continues an interrupted call. */
export function mineSomeTasks(
  repository: string,
  { out, limit }: { out: string; limit: number },
  watch: Watch,
): Promise<Mined> {
  return mineTasks(repository, { ...USUAL, out, limit }, watch)
}

async function mineTasks(
  repository: string,
  options: Options,
  { steps, onJudged }: Watch,
): Promise<Mined> {
  if ((options.verify === undefined) !== (options.report === undefined))
    throw usageError(
      '--verify and --report belong together: give both, or none to have them guessed',
    )
  return withJudging(async (judging) => {
    steps.step('reading the history')
    const history = await openHistory(repository, options.branch, judging.temporary)
    const commits = await listCommits(history, options)
    const settings = await settle(history, commits[0]?.id ?? '', options)
    return mineHistory(history, commits, {
      ...settings,
      judging,
      out: resolve(options.out),
      runs: options.runs,
      nameTests: options.nameTests === true,
      concurrency: options.concurrency,
      commitMs: options.minutes * 60_000,
      limit: options.limit ?? null,
      onSifted: (candidates, all) =>
        steps.line(`${countOf(candidates, 'candidate')} of ${countOf(all, 'commit')}`),
      onStep: ({ id }, what) => steps.step(`${id.slice(0, 10)} ${what}`),
      onJudged,
    }).finally(() => stopped(judging))
  })
}

function stopped({ signal }: BaseSettings): void {
  if (signal.aborted)
    throw stoppedError('stopped: run the same command to continue with the remaining commits')
}

function print(mined: Mined, { json, out }: Options): void {
  if (json) printJsonResult({ out: resolve(out), ...mined })
  else printResult([...describeCounts(mined), `suite and mined.json in ${resolve(out)}`].join('\n'))
}

const NETWORK = 'the set-up installs the packages that the repository names'

async function settle(
  history: History,
  head: string,
  options: Options,
): Promise<Pick<MineOptions, 'sieve' | 'task' | 'taskOf'>> {
  const runner = await findRunner(history, head, options)
  const { tests = TEST_GLOBS, copy: paths = [], mostFiles, mostLines } = options
  const selfContained = options.selfContained ?? history.isLocal
  if (paths.length > 0 && !(selfContained && history.isLocal))
    throw usageError('--copy takes installed files of a folder into self-contained tasks', '--copy')
  const copied = { root: history.from, paths }
  await requireCopied(copied).catch((error: Error) => {
    throw usageError(`--copy: ${error.message}`, '--copy')
  })
  const verify = { command: runner.command, report: { format: runner.format }, timeoutMs: 1 }
  const change = { allow: ['**'], protect: runner.protect }
  const permissionOf = permissionsOf({ change, verify }, new Set())
  const all = tests.map((glob) => glob.replace(/^!/, ''))
  const hasSetup = runner.setup.length > 0 || paths.length > 0
  const isSteering = (path: string) => permissionOf(path) !== 'allowed'
  const isTest = (path: string) => matchesAny(path, all)
  const setupNetwork = options.offline ? null : NETWORK
  const verifySeconds = options.timeout
  const task = { runner, selfContained, copied, verifySeconds, setupNetwork, isTest }
  const takesMerges = options.firstParent
  return {
    sieve: { tests, mostFiles, mostLines, hasSetup, isSteering, takesMerges },
    task,
    taskOf: async ({ parents: [parent = ''] }) => ({
      ...task,
      runner: (await guessAt(history, parent, options)) ?? runner,
    }),
  }
}

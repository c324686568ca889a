import { resolve } from 'node:path'
import type { Command } from 'commander'
import { judgeResults } from '#lib/domain/board/index.ts'
import type { Plan, Shard } from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { systemClock } from '../engine/clock.ts'
import { refuseOthers } from '../engine/envelopes.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { existingRun, refuseUnowned } from '../engine/run-folder.ts'
import { type RunReport, type RunRequest, runPlan } from '../engine/run-plan.ts'
import { type LoadedSuite, refuseEnv } from '../kinds/kind.ts'
import { placeError, usageError } from '../runner-error.ts'
import { closeInherited } from '../sandbox/process/close-inherited.ts'
import { asksForAll, runAllSubjects } from './all-subjects.ts'
import { behaviourOf } from './behaviour-lines.ts'
import { buildPlan, nameSubject } from './build-plan.ts'
import { openAskedSuite } from './fetch-dataset.ts'
import type { LocalBoard } from './local-board.ts'
import { readModelSource } from './model-source.ts'
import { openBoards } from './open-boards.ts'
import { requireReachable } from './open-providers.ts'
import {
  isolationLine,
  openIsolation,
  openSpending,
  printClosedFolders,
  refuseUnpricedBudget,
  subjectUserOf,
} from './open-run.ts'
import { defaultOut, findOwed, type LazyVerifier, withVerifier } from './open-suite.ts'
import {
  addPlanOptions,
  countOption,
  envOption,
  freshRunId,
  readSettings,
  registrationOption,
  runIdOption,
  shard,
  usdOption,
} from './options.ts'
import { commandSignal, printJsonResult, printResult, writeError } from './output.ts'
import type { PlanOptions } from './plan-options.ts'
import { printInstructions } from './print-instructions.ts'
import { checkPlanFits, readPlan } from './read-files.ts'
import type { RunOptions } from './run-options.ts'
import { projectFileOf, runProject } from './run-project.ts'
import {
  compareRunArms,
  consoleReporter,
  howToResume,
  ndjsonReporter,
  summarizeRun,
} from './run-report.ts'
import { addStopOptions, describeRule, refuseShards } from './stop-options.ts'

const WHOLE: Shard = { index: 1, count: 1 }

/** `proofboard run`: makes or reads a plan, runs it, and returns the exit code. */
export function addRunCommand(program: Command): void {
  addStopOptions(addPlanOptions(program.command('run').description('run a subject on a suite')))
    .option('--plan <plan.json>', 'run a frozen plan instead of --suite and --subject')
    .option(
      '--config <proofboard.yaml>',
      'run what this file names (default: proofboard.yaml here, where neither --suite nor --plan is given)',
    )
    .option('--tasks-of <proofboard.yaml>', 'with --config: suite, tasks and settings of this file')
    .option('--all-agents', 'run every agent that is installed and has a key, one after the other')
    .option('--all-libraries', 'run every browser library that is installed, one after the other')
    .option('--print-instructions', 'print the exact prompt of each task and run nothing')
    .option('--concurrency <n>', 'concurrent episodes', countOption('--concurrency', 64), 1)
    .option(
      '--spend-cap <usd>',
      'cost limit of the run in US dollars; raise it to continue a stopped run',
      usdOption('--spend-cap'),
    )
    .option('--script <solve|file.json>', 'with --model scripted: the script (default: solve)')
    .option('--record', 'store a redacted recording of every model conversation')
    .option('--replay <run folder>', 'replay the recordings of that run, offline')
    .addOption(envOption())
    .option('--shard <i/n>', 'only this part of the plan', shard)
    .option('--out <dir>', 'output folder; continues an unfinished run')
    .option('--run-id <id>', 'run id', runIdOption)
    .option(
      '--submit <url>',
      'register the plan at another server before, and upload the run after (see submit)',
    )
    .option(
      '--registration <sha256:…>',
      'hash that plan --register printed: episodes name it, so that a slow clock does not matter; can be repeated',
      registrationOption,
    )
    .option('--json', 'print one JSON object as the last line of stdout')
    .option('--events', 'print every event as a JSON line on stdout')
    .option('--stop-with-stdin', 'stop when stdin closes')
    .action(execute)
}

async function execute(options: RunOptions, command: Command): Promise<void> {
  closeInherited()
  process.umask(0o077) // other users must not read the files of a run
  const signal = commandSignal({ stopWithStdin: options.stopWithStdin === true })
  const project = projectFileOf(options, process.cwd())
  // Runs one after the other share a verifier, whose compiler takes seconds to start.
  await withVerifier(async (verifier) => {
    const run = (one: RunOptions) => runOne(one, signal, verifier)
    if (project !== null)
      await runProject(project, { options, command }, (one) => run(one as RunOptions))
    else if (!asksForAll(options)) await run(options)
    else await runAllSubjects(options, signal, (subject) => run({ ...options, subject }))
  })
}

/**
 * Runs one plan, or with `listen` one shard for a remote board, which then is not on a board of this machine. The
 * caller closes a verifier that it gives.
 */
export async function runOne(
  options: RunOptions,
  signal: AbortSignal,
  shared?: LazyVerifier,
): Promise<void> {
  if (!shared) return withVerifier((verifier) => runOne(options, signal, verifier))
  const frozen = options.plan === undefined ? null : readPlan(options.plan)
  const suite = await openAskedSuite(suiteName(options, frozen), options, shared)
  if (options.printInstructions) return printInstructions(suite, frozen, options)
  if (suite.kind.usesVerifier) shared.get() // starts the compilers early, which takes a second
  const plan = await askPlan(options, frozen, suite)
  await runPlanned(plan, { options, suite, verifier: shared, signal })
}

async function askPlan(
  options: RunOptions,
  frozen: Plan | null,
  suite: LoadedSuite,
): Promise<RequestedPlan> {
  const request = frozen
    ? { plan: frozen, warnings: [] }
    : await buildPlan(planOptions(options), suite, systemClock.now())
  checkPlanFits(request.plan, suite)
  return request
}

type RequestedPlan = Awaited<ReturnType<typeof buildPlan>>

type RunContext = {
  options: RunOptions
  suite: LoadedSuite & { folder: string }
  verifier: LazyVerifier
  signal: AbortSignal
}

async function runPlanned(
  { plan: requested, warnings }: RequestedPlan,
  { options, suite, verifier, signal }: RunContext,
): Promise<void> {
  refuseShards(requested, options.shard?.count ?? 1)
  refuseEnv(suite.kind, options.env)
  const isolation = await openIsolation(requested)
  const run = place(options, requested)
  const boards = openBoards(run, options)
  const spending = openSpending(run.plan, options)
  const access = readModelSource(options, run.plan)
  refuseUnpricedBudget(run.plan, options, access.source.kind)
  const gateway = { ...access, spending }
  const opened = await suite.kind.open(run.plan, suite, {
    ...gateway,
    isolation,
    verifier,
    agentFile: options.agentFile ?? null,
    libraryFile: options.libraryFile,
    env: options.env ?? [],
  })
  await requireReachable(run.plan, gateway.source, options)
  // Printed after all checks have passed.
  for (const warning of warnings) writeError(`warning: ${warning}`)
  await printConditions(requested, options)
  await printClosedFolders(run.plan, suite.folder)
  const parts = { ...opened, ...subjectUserOf(run.plan) }
  const environment = await resolveEnvironment(await isolation.record(), parts)
  const reporter = chooseReporter(options)
  const request = {
    ...run,
    shard: options.shard ?? WHOLE,
    concurrency: options.concurrency,
    ...(options.upTo !== undefined && { upTo: options.upTo }),
    tasks: suite.tasks,
    isSupervised: options.stopWithStdin === true,
    // Recorded responses contain paths of folders, so record and replay use the same ones.
    fixedFolders: gateway.record || gateway.source.kind === 'replay',
  }
  const report = await runPlan(request, {
    adapter: opened.adapter,
    clock: systemClock,
    environment,
    isolation,
    spending,
    signal,
    emit: (event) => {
      reporter.on(event)
      options.listen?.(event)
    },
    registration: boards.registration,
  }).catch((error: unknown) => {
    // The same command would start another run, and this one is registered and has to be finished.
    if (!request.isSupervised && existingRun(run.out)) writeError(howToResume(run.out))
    throw error
  })
  reporter.end()
  if (options.upTo !== undefined) return void (await boards.collect())
  printRunResult(request, { report, suite: suite.suite, options, board: await boards.collect() })
  await boards.submit()
}

/** Prints isolation and stopping rule, once for all looks of a plan. */
async function printConditions(request: Plan, options: RunOptions): Promise<void> {
  const level = options.plan === undefined ? readSettings(options).isolation : 'plan'
  const line = options.isContinued ? null : await isolationLine(request, level)
  if (line !== null) writeError(line)
  if (request.stop && !request.stop.pair) writeError(describeRule(request))
}

function chooseReporter({ events, isContinued }: RunOptions) {
  return events ? ndjsonReporter() : consoleReporter(process.stderr, { isContinued })
}

type Ended = { report: RunReport; suite: Suite; options: RunOptions; board: LocalBoard | null }

function printRunResult(
  { runId, plan, shard, ...run }: Omit<RunRequest, 'isSupervised'>,
  { report, suite, options, board }: Ended,
): void {
  const { attempts } = report
  const result = { runId, plan, shard, attempts, episodes: attempts }
  // A top-up makes an entry only together with the runs that it completes.
  const rows = plan.topUpOf
    ? []
    : judgeResults([result], { provenance: 'local', findSuite: () => suite })
  const arms = compareRunArms(result, suite)
  const behaviour = behaviourOf(run, report)
  const summary = summarizeRun({ runId, plan, report, rows, arms, board, ...behaviour })
  if (options.json) printJsonResult(summary.json)
  else if (!options.events) printResult(summary.text)
  options.onArms?.({ report, arms, rows })
  process.exitCode = summary.exitCode
}

function suiteName(options: RunOptions, plan: Plan | null): string {
  if (plan && options.subject)
    throw usageError('--plan already contains the subject: remove --subject')
  if (plan && (options.arms !== undefined || options.arm !== undefined))
    throw usageError('--plan already contains its arms: remove --arms and --arm', '--arms')
  if (plan && options.stopWhen === 'decided')
    throw usageError('--plan already contains when it stops: remove --stop-when', '--stop-when')
  const { isolation = 'auto' } = readSettings(options)
  if (plan && isolation !== 'auto' && isolation !== plan.settings.isolation)
    throw usageError(`the plan already contains --isolation ${plan.settings.isolation}: remove it`)
  const name = options.suite ?? plan?.suiteId
  if (!name)
    throw usageError(
      'no run specified: use --suite NAME --subject NAME, or --plan plan.json, or create proofboard.yaml with "proofboard init"',
    )
  return name
}

function planOptions(options: RunOptions): PlanOptions {
  const subject = nameSubject(options)
  if (subject === null)
    throw usageError(
      'no subject specified: use --subject NAME (an agent, reference, nop, …), or --command "…"',
    )
  return { ...options, subject, settings: readSettings(options) } as PlanOptions
}

/** Returns run id, folder and plan; a folder that already has this plan is continued under its own id. */
function place(options: RunOptions, plan: Plan): { runId: string; out: string; plan: Plan } {
  const fresh = freshRunId()
  const out = resolve(
    options.out ?? findOwed(options, plan) ?? defaultOut(options.runId ?? fresh, plan.suiteId),
  )
  const earlier = existingRun(out)
  if (!earlier) return { runId: options.runId ?? fresh, out: refuseUnowned(out), plan }
  if (earlier.plan.planDigest !== plan.planDigest) {
    throw placeError(`${out} contains a run of another plan: choose another --out`)
  }
  refuseOthers(out, plan, options.shard ?? WHOLE)
  return { runId: earlier.runId ?? options.runId ?? fresh, out, plan: earlier.plan }
}

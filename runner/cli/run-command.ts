import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { judgeResults } from '#lib/domain/board/index.ts'
import type { Plan, RunEvent, Shard } from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { systemClock } from '../engine/clock.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { existingRun } from '../engine/run-folder.ts'
import { type RunReport, type RunRequest, runPlan } from '../engine/run-plan.ts'
import { placeError, usageError } from '../runner-error.ts'
import { closeInherited } from '../sandbox/process/close-inherited.ts'
import { OWN_ENV } from '../sandbox/process/own-env.ts'
import { runTool } from '../sandbox/process/run-tool.ts'
import type { LoadedSuite } from '../suites/load-suite.ts'
import { dataFolder, PROJECT_ROOT } from '../suites/project-paths.ts'
import { buildPlan, nameSubject, type PlanOptions } from './build-plan.ts'
import { requireReachable } from './open-providers.ts'
import {
  isolationLine,
  openEnvironment,
  openIsolation,
  openSpending,
  printClosedFolders,
  readModelSource,
  refuseUnpricedBudget,
  type SourceOptions,
  subjectUserOf,
} from './open-run.ts'
import { defaultOut, LazyVerifier, openSuite } from './open-suite.ts'
import {
  addPlanOptions,
  countOption,
  freshRunId,
  readSettings,
  runIdOption,
  shard,
  usdOption,
} from './options.ts'
import { commandSignal, printJsonResult, printResult, writeError } from './output.ts'
import { checkPlanFits, readPlan } from './read-files.ts'
import { consoleReporter, ndjsonReporter, summarizeRun } from './run-report.ts'

type RunOptions = Partial<PlanOptions> &
  SourceOptions & {
    suite?: string
    plan?: string
    concurrency: number
    /** Millionths of a US dollar. */
    spendCap?: number
    shard?: Shard
    out?: string
    runId?: string
    json?: boolean
    events?: boolean
    stopWithStdin?: boolean
  }

/** `proofboard run`: plan → run → exit code. */
export function addRunCommand(program: Command): void {
  addPlanOptions(program.command('run').description('run a subject on a suite'))
    .option('--plan <plan.json>', 'run a frozen plan instead of --suite and --subject')
    .option('--concurrency <n>', 'concurrent episodes', countOption('--concurrency', 64), 1)
    .option(
      '--spend-cap <usd>',
      'cost limit of the run in US dollars; raise it to continue a stopped run',
      usdOption('--spend-cap'),
    )
    .option('--script <solve|file.json>', 'with --model scripted: the script (default: solve)')
    .option('--record', 'store a redacted recording of every model conversation')
    .option('--replay <run folder>', 'replay the recordings of that run, offline')
    .option('--shard <i/n>', 'only this part of the plan', shard)
    .option('--out <dir>', 'output folder; continues an unfinished run')
    .option('--run-id <id>', 'run id', runIdOption)
    .option('--json', 'print one JSON object as the last line of stdout')
    .option('--events', 'print every event as a JSON line on stdout')
    .option('--stop-with-stdin', 'stop when stdin closes')
    .action(execute)
}

async function execute(options: RunOptions): Promise<void> {
  closeInherited()
  process.umask(0o077) // what a run keeps is its owner's alone
  const gate = new LazyVerifier()
  const signal = commandSignal({ stopWithStdin: options.stopWithStdin === true })
  try {
    const frozen = options.plan === undefined ? null : readPlan(options.plan)
    const suite = await openSuite(suiteName(options, frozen), gate)
    if (suite.kind === 'exercise') gate.get() // compilers take a second to wake: let them
    const asked = frozen ?? (await planNow(options, suite))
    checkPlanFits(asked, suite)
    const isolation = await openIsolation(asked)
    const run = place(options, asked)
    const spending = openSpending(run.plan, options)
    const access = readModelSource(options, run.plan)
    refuseUnpricedBudget(run.plan, options, access.source.kind)
    const house = { ...access, spending }
    const opened = await openEnvironment(run.plan, suite, {
      ...house,
      isolation,
      gate,
      agentFile: options.agentFile ?? null,
    })
    await requireReachable(run.plan, house.source, options)
    // Said once nothing is left to refuse.
    const line = await isolationLine(asked, frozen ? 'plan' : readSettings(options).isolation)
    if (line !== null) writeError(line)
    await printClosedFolders(run.plan, suite.folder)
    const parts = { ...opened, ...subjectUserOf(run.plan) }
    const environment = await resolveEnvironment(await isolation.record(), parts)
    const reporters = [chooseReporter(options)]
    const emit = (event: RunEvent) => {
      for (const reporter of reporters) reporter.on(event)
    }
    const request = {
      ...run,
      shard: options.shard ?? { index: 1, count: 1 },
      concurrency: options.concurrency,
      tasks: suite.tasks,
      isSupervised: options.stopWithStdin === true,
      // A recorded answer names folders, so record and replay work in the same ones.
      fixedFolders: house.record || house.source.kind === 'replay',
    }
    // A worker has registered what it starts.
    if (!request.isSupervised) await registerRun({ ...run, shard: options.shard ?? null })
    const report = await runPlan(request, {
      arena: opened.adapter,
      clock: systemClock,
      environment,
      isolation,
      spending,
      signal,
      emit,
    })
    for (const reporter of reporters) reporter.end()
    tellResult(request, { report, suite: suite.suite, options })
  } finally {
    await gate.close()
  }
}

function chooseReporter({ events }: RunOptions) {
  return events ? ndjsonReporter() : consoleReporter(process.stderr, () => performance.now())
}

type Ended = { report: RunReport; suite: Suite; options: RunOptions }

function tellResult(
  { runId, plan, shard }: Pick<RunRequest, 'runId' | 'plan' | 'shard'>,
  { report, suite, options }: Ended,
): void {
  const result = { runId, plan, shard, episodes: report.attempts }
  // A top-up makes a row only together with the runs it tops up.
  const rows = plan.topUpOf
    ? []
    : judgeResults([result], { provenance: 'local', findSuite: () => suite })
  const summary = summarizeRun({ runId, plan, report, rows })
  if (options.json) printJsonResult(summary.json)
  else if (!options.events) printResult(summary.text)
  process.exitCode = summary.exitCode
}

function suiteName(options: RunOptions, plan: Plan | null): string {
  if (plan && options.subject)
    throw usageError('--plan already contains the subject: remove --subject')
  const { isolation = 'auto' } = readSettings(options)
  if (plan && isolation !== 'auto' && isolation !== plan.settings.isolation)
    throw usageError(`the plan already contains --isolation ${plan.settings.isolation}: remove it`)
  const name = options.suite ?? plan?.suiteId
  if (!name)
    throw usageError('no run specified: use --suite NAME --subject NAME, or --plan plan.json')
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

async function planNow(options: RunOptions, suite: LoadedSuite): Promise<Plan> {
  const { plan, warnings } = await buildPlan(planOptions(options), suite, systemClock.now())
  for (const warning of warnings) writeError(`warning: ${warning}`)
  return plan
}

/** Run id, folder and plan; a folder that already holds this plan is continued under its own id. */
function place(options: RunOptions, plan: Plan): { runId: string; out: string; plan: Plan } {
  const fresh = freshRunId()
  const out = resolve(options.out ?? defaultOut(options.runId ?? fresh))
  const earlier = existingRun(out)
  if (!earlier) return { runId: options.runId ?? fresh, out, plan }
  if (earlier.plan.planDigest !== plan.planDigest) {
    throw placeError(`${out} contains a run of another plan: choose another --out`)
  }
  return { runId: earlier.runId ?? options.runId ?? fresh, out, plan: earlier.plan }
}

type Run = { runId: string; plan: Plan; out: string; shard: Shard | null }

const MOST_MS = 120_000

/**
 * Registers a run that is about to start in this machine's data folder with the server's ledger, so that its row can be
 * ranked. For other folders there is nothing to do. A run that cannot be registered still runs; the reason is printed.
 */
async function registerRun({ runId, plan, out, shard }: Run): Promise<void> {
  const folder = dataFolder(OWN_ENV)
  if (dirname(resolve(out)) !== join(folder, 'runs')) return
  const launcher = join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs')
  if (!existsSync(join(folder, 'proofboard.db'))) {
    writeError('not registered: this data folder has no server yet (npm start); see README')
    return
  }
  const scratch = mkdtempSync(join(tmpdir(), 'proofboard-plan-'))
  try {
    const file = join(scratch, 'plan.json')
    writeFileSync(file, JSON.stringify(plan), { mode: 0o600 })
    const part = shard ? ['--shard', `${shard.index}/${shard.count}`] : []
    const args = ['ledger', 'register', '--plan', file, '--run-id', runId, ...part]
    const { code, stderr } = await runTool([process.execPath, launcher, ...args], {
      env: ownEnvironment(folder),
      timeoutMs: MOST_MS,
      cwd: PROJECT_ROOT,
    })
    const why = stderr.trim().split('\n').at(-1)
    if (code !== 0) writeError(`not registered, so the entry will be unregistered: ${why}`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** What a program of ours needs; keys of providers were taken out when the command started. */
function ownEnvironment(folder: string): Record<string, string> {
  const inherited = Object.entries(OWN_ENV).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return { ...Object.fromEntries(inherited), PROOFBOARD_DATA_DIR: folder }
}

import { resolve } from 'node:path'
import type { Command } from 'commander'
import { judgeResults } from '#lib/domain/board/judge-results.ts'
import type { Shard } from '#lib/domain/expand-plan.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import type { RunEvent } from '#lib/domain/run-event.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { systemClock } from '../clock.ts'
import { closeInherited } from '../process/close-inherited.ts'
import { consoleReporter } from '../reporters/console-reporter.ts'
import { ndjsonReporter } from '../reporters/ndjson-reporter.ts'
import { resolveEnvironment } from '../resolve-environment.ts'
import { type RunReport, type RunRequest, runPlan } from '../run-plan.ts'
import { existingRun } from '../store/existing-run.ts'
import { buildPlan, type PlanOptions } from './build-plan.ts'
import { PlaceError, UsageError } from './cli-error.ts'
import { nameSubject } from './name-subject.ts'
import { openArena } from './open-arena.ts'
import { openIsolation, subjectUserOf, tellClosed, tellIsolation } from './open-isolation.ts'
import { openSpending } from './open-spending.ts'
import { defaultOut, LazyGate, openSuite } from './open-suite.ts'
import { freshRunId, runIdOption, shard, usDollars, wholeNumber } from './options.ts'
import { answer, answerJson } from './output.ts'
import { addPlanOptions } from './plan-options.ts'
import { readModelSource, type SourceOptions } from './read-model-source.ts'
import { checkPlanFits, readPlan } from './read-plan.ts'
import { registerRun } from './register-run.ts'
import { stopSignal } from './stop-signal.ts'
import { summarizeRun } from './summarize-run.ts'

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
    .option('--concurrency <n>', 'concurrent episodes', wholeNumber('--concurrency', 64), 1)
    .option(
      '--spend-cap <usd>',
      'cost limit of the run in US dollars; raise it to continue a stopped run',
      usDollars('--spend-cap'),
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
  const gate = new LazyGate()
  const signal = stopSignal({ stopWithStdin: options.stopWithStdin === true })
  try {
    const frozen = options.plan === undefined ? null : readPlan(options.plan)
    const suite = await openSuite(suiteName(options, frozen), gate)
    if (suite.kind === 'exercise') gate.get() // compilers take a second to wake: let them
    const asked = frozen ?? (await buildPlan(planOptions(options), suite, systemClock.now()))
    checkPlanFits(asked, suite)
    const isolation = await openIsolation(asked)
    const run = place(options, asked)
    const spending = openSpending(run.plan, options)
    const house = { ...readModelSource(options, run.plan), spending }
    const opened = await openArena(run.plan, suite, {
      ...house,
      isolation,
      gate,
      agentFile: options.agentFile ?? null,
    })
    // Said once nothing is left to refuse.
    await tellIsolation(asked, frozen ? 'plan' : options.isolation)
    await tellClosed(run.plan, suite.folder)
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
      arena: opened.arena,
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
  if (options.json) answerJson(summary.json)
  else if (!options.events) answer(summary.text)
  process.exitCode = summary.exitCode
}

function suiteName(options: RunOptions, plan: FrozenPlan | null): string {
  if (plan && options.subject)
    throw new UsageError('--plan already contains the subject: remove --subject')
  const { isolation = 'auto' } = options
  if (plan && isolation !== 'auto' && isolation !== plan.settings.isolation)
    throw new UsageError(
      `the plan already contains --isolation ${plan.settings.isolation}: remove it`,
    )
  const name = options.suite ?? plan?.suiteId
  if (!name)
    throw new UsageError('no run specified: use --suite NAME --subject NAME, or --plan plan.json')
  return name
}

function planOptions(options: RunOptions): PlanOptions {
  const subject = nameSubject(options)
  if (subject === null)
    throw new UsageError(
      'no subject specified: use --subject NAME (an agent, reference, nop, …), or --command "…"',
    )
  return { ...options, subject } as PlanOptions
}

/** Run id, folder and plan; a folder that already holds this plan is continued under its own id. */
function place(
  options: RunOptions,
  plan: FrozenPlan,
): { runId: string; out: string; plan: FrozenPlan } {
  const fresh = freshRunId()
  const out = resolve(options.out ?? defaultOut(options.runId ?? fresh))
  const earlier = existingRun(out)
  if (!earlier) return { runId: options.runId ?? fresh, out, plan }
  if (earlier.plan.planDigest !== plan.planDigest) {
    throw new PlaceError(`${out} contains a run of another plan: choose another --out`)
  }
  return { runId: earlier.runId ?? options.runId ?? fresh, out, plan: earlier.plan }
}

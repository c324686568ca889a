import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import {
  boardOfResults,
  describeStop,
  formatBadgeRate,
  formatSamples,
  formatTier,
  type StopDecision,
} from '#lib/domain/board/index.ts'
import { buildComparison } from '#lib/domain/compare/index.ts'
import { describeCost, describeTime } from '#lib/domain/planner/index.ts'
import { subjectLabel } from '#lib/domain/record/index.ts'
import { SETTINGS } from '#lib/domain/settings/index.ts'
import { countOf, formatCost } from '#lib/domain/text/index.ts'
import { buildPlan } from '../../cli/build-plan.ts'
import { explainPlanFor } from '../../cli/explain-plan.ts'
import { installHere } from '../../cli/install-here.ts'
import { withSuite, withVerifier } from '../../cli/open-suite.ts'
import { countOption, readAs, usdOption } from '../../cli/options.ts'
import { commandSignal, printJsonResult, printResult, writeError } from '../../cli/output.ts'
import { readBundle } from '../../cli/read-files.ts'
import { runOne } from '../../cli/run-command.ts'
import type { RunOptions } from '../../cli/run-options.ts'
import { runPair } from '../../cli/run-pair.ts'
import { showSteps } from '../../cli/show-steps.ts'
import { addStopOptions, type StopOptions } from '../../cli/stop-options.ts'
import { systemClock } from '../../engine/clock.ts'
import { writeAtomic } from '../../engine/files.ts'
import type { LoadedSuite } from '../../kinds/kind.ts'
import { stoppedError, usageError } from '../../runner-error.ts'
import { closeInherited } from '../../sandbox/process/close-inherited.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { findAgentProgram } from '../../subjects/agents/find-agent.ts'
import { pickAgent } from '../../subjects/agents/load-agents.ts'
import { describeJudged, type JudgedCommit } from './mined-file.ts'
import { type NamedAgent, nameOf, readAgents, requireModels } from './named-agents.ts'
import { requireRepository } from './open-history.ts'
import { mineSomeTasks } from './tasks-command.ts'

type Options = Pick<
  RunOptions,
  'provider' | 'providerFile' | 'script' | 'concurrency' | 'spendCap'
> &
  StopOptions & {
    model?: string
    suite?: string
    limit: number
    repetitions: number
    price?: string
    maxCostMicroUsd?: number
    out: string
    yes?: boolean
    json?: boolean
  }

const OUT = join('.proofboard', 'compare')

const HELP = `
Example:
  proofboard compare-agents claude=claude-sonnet-5 codex=gpt-5.4

Tasks are made of the commits of this repository whose tests fail before and pass after them; each is proven before an
agent is paid. Two agents stop once the verdict is certain (--stop-when never: run all). The same command continues what
was interrupted.`

/** `proofboard compare-agents`: which agent solves more tasks of the repository in this folder. */
export function addCompareAgentsCommand(program: Command): void {
  addStopOptions(
    program
      .command('compare-agents <agents...>')
      .description('compare agents on tasks made of the commits of this repository'),
  )
    .option('--model <name>', 'model of each agent that is named without =model')
    .option('--provider <name>', 'model provider (default: first with an API key)')
    .option('--suite <name|path>', 'measure on this suite instead of the commits')
    .option('--limit <n>', 'tasks to make of the commits', countOption('--limit', 100), 12)
    .option('--repetitions <n>', 'episodes per task and agent', countOption('--repetitions'), 3)
    .option('--max-cost <usd>', 'cost limit of one episode in US dollars', usdOption('--max-cost'))
    .option(
      '--price <in/out>',
      'price of a model that is not in the price table, or free',
      readAs('--price', SETTINGS.price.kind),
    )
    .option('--spend-cap <usd>', 'cost limit of each agent in US dollars', usdOption('--spend-cap'))
    .option('--concurrency <n>', 'concurrent episodes', countOption('--concurrency', 64), 1)
    .option('--provider-file <providers.yaml>', 'providers of your own')
    .option('--script <solve|file.json>', 'with --model scripted: the script (default: solve)')
    .option('--out <dir>', 'folder of tasks and runs', OUT)
    .option('--yes', 'start without asking')
    .option('--json', 'print one JSON object as the last line of stdout')
    .addHelpText('after', HELP)
    .action(compareAgents)
}

async function compareAgents(words: string[], options: Options): Promise<void> {
  closeInherited()
  const agents = readAgents(words, options.model)
  refuseManySides(agents, options)
  requireTerminal(options)
  requireModels(agents, options)
  if (options.suite === undefined) await requireRepository(resolve('.'))
  const folder = resolve(options.out)
  await mkdir(folder, { recursive: true })
  // The agents beside the usual folder are left out of the repository too.
  const hidden = options.out === OUT ? dirname(folder) : folder
  await writeAtomic(join(hidden, '.gitignore'), '*\n')
  const suite = options.suite ?? (await makeTasks(folder, options.limit))
  const signal = commandSignal({ stopWithStdin: false })
  const missing = agents.filter(
    ({ agent }) => findAgentProgram(pickAgent(agent, null), RUNNER_ENV) === null,
  )
  for (const { agent } of missing) {
    writeError(`installing ${agent}`)
    await installHere(pickAgent(agent, null), { version: null, signal })
  }
  const quoted = await quote(agents, suite, options)
  writeError(quoted)
  if (!options.yes && !(await confirm('Run it?'))) throw stoppedError('stopped: nothing was run')
  process.umask(0o077) // other users must not read the files of a run
  const sides = agents.map((one) => ({
    name: nameOf(one),
    run: runOptions(one, { ...options, suite, out: join(folder, nameOf(one)) }),
  }))
  const outs = sides.map(({ run }) => run.out)
  const stopWhen = stopOf(agents, options)
  const pair = { ...options, stopWhen }
  const decided =
    stopWhen === 'decided' ? await runPair(sides, pair, { folder, suite, signal }) : null
  await withVerifier(async (verifier) => {
    for (const { name, run } of stopWhen === 'decided' ? [] : sides) {
      writeError(`== ${name}`)
      await runOne(run, signal, verifier)
      if (signal.aborted) throw stoppedError('stopped: run the same command to continue')
    }
  })
  await report(outs, suite, { ...options, decided })
}

function refuseManySides(agents: readonly NamedAgent[], { stopWhen }: Options): void {
  if (stopWhen !== 'decided' || agents.length === 2) return
  throw usageError('--stop-when decided compares two agents: name two', '--stop-when')
}

/** Two agents stop once decided, unless there is nothing to stop before. */
function stopOf(
  { length }: readonly NamedAgent[],
  { stopWhen, repetitions }: Options,
): NonNullable<StopOptions['stopWhen']> {
  return stopWhen ?? (length === 2 && repetitions > 1 ? 'decided' : 'never')
}

function requireTerminal({ yes }: Options): void {
  if (yes || process.stdin.isTTY === true) return
  throw usageError('there is no terminal to ask for the price: use --yes', '--yes')
}

/** Makes tasks from the commits; keeps tasks of an earlier call. */
async function makeTasks(folder: string, limit: number): Promise<string> {
  const out = join(folder, 'tasks')
  let [tried, admitted] = [0, 0]
  writeError(`making up to ${countOf(limit, 'task')} of the commits of this repository`)
  const steps = showSteps('trying commits')
  const onJudged = (one: JudgedCommit) => {
    tried += 1
    if (one.verdict === 'admitted') admitted += 1
    steps.line(`${describeJudged(one)} (${admitted} of ${limit}, ${tried} tried)`)
  }
  const mining = mineSomeTasks('.', { out, limit }, { steps, onJudged })
  const { counts } = await mining.finally(steps.end)
  if (counts.admitted > 0) return out
  throw usageError(
    `no commit of the last ${counts.judged} gives a task; ${join(out, 'mined.json')} says why for each. Use --suite NAME, or write a task with "proofboard init"`,
  )
}

function runOptions(
  { agent, model }: NamedAgent,
  options: Options & { out: string },
): RunOptions & { out: string } {
  const { suite, repetitions, provider, providerFile, script, concurrency, spendCap, out } = options
  const { price, maxCostMicroUsd } = options
  const given = { provider, providerFile, script, spendCap, price, maxCost: maxCostMicroUsd }
  const defined = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  )
  return {
    suite,
    subject: agent,
    model,
    repetitions,
    concurrency,
    out,
    ...defined,
  } as RunOptions & {
    out: string
  }
}

/** Prints cost and time of the runs, one line per agent. Rejects what a run would reject. */
async function quote(
  agents: readonly NamedAgent[],
  suite: string,
  options: Options,
): Promise<string> {
  return withSuite(suite, async (loaded) => {
    const lines: string[] = []
    for (const one of agents) lines.push(await quoteAgent(one, loaded, options))
    const tasks = countOf(loaded.suite.tasks.length, 'task')
    return [
      `${tasks}, ${countOf(options.repetitions, 'repetition')} for each agent:`,
      ...lines,
    ].join('\n')
  })
}

async function quoteAgent(
  one: NamedAgent,
  loaded: LoadedSuite,
  { repetitions, provider, providerFile, concurrency, price, maxCostMicroUsd }: Options,
): Promise<string> {
  const { agent: subject, model } = one
  const settings = {
    ...(price !== undefined && { price }),
    ...(maxCostMicroUsd !== undefined && { maxCostMicroUsd }),
  }
  const own = { ...(provider && { provider }), ...(providerFile && { providerFile }) }
  const asked = { subject, model, repetitions, settings, ...own }
  const { plan, warnings } = await buildPlan(asked, loaded, systemClock.now())
  const { cost, time } = explainPlanFor(plan, loaded.suite, { concurrency, ...own })
  const most = cost.atMost === null ? '' : `, at most ${formatCost(cost.atMost)}`
  for (const warning of warnings) writeError(`warning: ${warning}`)
  return `${nameOf(one).padEnd(32)} ${describeCost(cost) ?? 'cost unknown'}${most}; ${describeTime(time) ?? 'time unknown'}`
}

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C and the end of the input close it; otherwise the question would wait forever.
  const closed = new Promise<string>((end) => terminal.once('close', () => end('')))
  terminal.once('SIGINT', () => terminal.close())
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed])
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

/** Prints the verdict of each pair, then the entries. */
async function report(
  outs: readonly string[],
  suiteName: string,
  { json, decided }: Options & { decided: StopDecision | null },
): Promise<void> {
  const bundles = outs
    .map((out) => join(out, 'result.json'))
    .filter(existsSync)
    .map(readBundle)
  const { suite } = await withSuite(suiteName, async (opened) => opened)
  const { rows } = boardOfResults(bundles, suite, 'local')
  const comparison = buildComparison({
    rowIds: rows.map(({ rowId }) => rowId),
    rows,
    suites: [suite],
  })
  const verdicts = [
    ...(decided ? [describeStop(decided)] : []),
    ...(comparison.ok ? comparison.pairs.map(({ sentence }) => sentence) : [comparison.reason]),
  ]
  if (json) {
    printJsonResult({ verdicts, comparison, runs: outs })
    return
  }
  const isOpen =
    decided === null &&
    comparison.ok &&
    comparison.pairs.some(({ result }) => result.ok && result.verdict.kind === 'cannot-tell')
  const advice = isOpen ? ['More tasks (--limit) decide more than more --repetitions.'] : []
  const entries = rows.map(
    (row) =>
      `  ${subjectLabel(row.subject)}  ${formatBadgeRate(row.success)}, ${formatSamples(row)}, ${formatTier(row.label)}`,
  )
  const pages = `npx proofboard view ${outs.join(' ')}   # tasks, episodes and logs as pages`
  printResult([...verdicts, ...advice, '', ...entries, '', pages].join('\n'))
}

import { resolve } from 'node:path'
import type { Command } from 'commander'
import { countSlots, type Plan } from '#lib/domain/record/index.ts'
import type { PlanAnswer } from '#lib/domain/runs/index.ts'
import { OPTION_LIST } from '#lib/domain/settings/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { systemClock } from '../engine/clock.ts'
import { writeAtomic } from '../engine/files.ts'
import { usageError } from '../runner-error.ts'
import { buildPlan, nameSubject } from './build-plan.ts'
import { explainPlanFor, explainText } from './explain-plan.ts'
import { openAskedSuite } from './fetch-dataset.ts'
import { describeQuota, requireRunnable } from './open-providers.ts'
import { isolationLine, openIsolation, openSpending, refuseUnpricedBudget } from './open-run.ts'
import { type LazyVerifier, withVerifier } from './open-suite.ts'
import { addPlanOptions, attributeOf, countOption, readSettings, usdOption } from './options.ts'
import { printJsonResult, printResult, writeError } from './output.ts'
import type { PlanOptions } from './plan-options.ts'
import { planTopUpFile, type TopUpOptions } from './plan-top-up.ts'
import { readPlan } from './read-files.ts'
import {
  addRegisterOptions,
  type RegisteredHere,
  type RegisterOptions,
  registerHere,
} from './register-plan.ts'
import { addStopOptions, describeRule, percentOption } from './stop-options.ts'

type Options = Partial<PlanOptions> &
  Partial<TopUpOptions> &
  RegisterOptions & {
    explain?: boolean
    dataset?: string
    past?: string[]
    detect?: number
    for?: number
    concurrency: number
    runnable?: boolean
    spendCap?: number
  }

/** `proofboard plan`: freezes a plan before anything runs, or explains its power, cost and time. */
export function addPlanCommand(program: Command): void {
  const command = addStopOptions(
    addPlanOptions(
      program
        .command('plan')
        .description('create a frozen plan of suite, subject, settings and repetitions'),
    ),
  )
    .option('--explain', 'estimate power, cost and time; writes the plan only with --out')
    .option(
      '--detect <points>',
      'with --explain: the cheapest plan that detects this',
      percentOption('--detect', 100),
    )
    .option('--for <usd>', 'with --detect: budget of both sides', usdOption('--for'))
    .option('--past <file|dir...>', 'results for the estimate (default: those in the data folder)')
    .option(
      '--concurrency <n>',
      'concurrent episodes, for the time estimate',
      countOption('--concurrency', 64),
      1,
    )
    .option(
      '--top-up <result.json|run folder...>',
      'plan only the missing episodes of these results',
    )
    .option('--per-task', 'with --top-up: enough episodes for each task')
    .option('--samples <n>', 'with --top-up: this many samples per task', countOption('--samples'))
    .option('--escrow <job.json>', 'the job that Harbor will run with this plan')
    .option('--rehearsal <job folder>', 'with --escrow: an earlier job of Harbor on these tasks')
    .option('--runnable', 'refuse a plan that cannot run on this machine: no API key, no browser')
    .option('--spend-cap <usd>', 'check this cost limit of the run', usdOption('--spend-cap'))
    .option('--out <plan.json>', 'where to write the plan (default: plan.json)')
    .option('--json', 'print one JSON object as the last line of stdout')
  addRegisterOptions(command).action(execute)
}

async function execute(options: Options, command: Command): Promise<void> {
  refuseMixed(options, command)
  if (options.plan !== undefined || options.digest !== undefined) return registerKnown(options)
  return withVerifier(async (verifier) => {
    const { topUp } = options
    if (topUp) await planTopUpFile({ ...options, topUp }, verifier)
    else await freezeNew(options, verifier)
  })
}

async function freezeNew(options: Options, verifier: LazyVerifier): Promise<void> {
  const { suite, ...made } = await makePlan(options, verifier)
  const { plan } = made
  const budget = options.for === undefined ? {} : { forMicroUsd: options.for }
  const about = options.explain ? explainPlanFor(plan, suite, { ...options, ...budget }) : null
  const planPath = await writePlan(plan, options)
  const episodes = countSlots(plan)
  const { planDigest } = plan
  const registration = options.register ? await registerHere(plan, options) : null
  if (options.json) {
    const details = { ...(about && { explanation: about }), ...(registration && { registration }) }
    printJsonResult({ ...details, planDigest, planPath, episodes, ...made })
    return
  }
  const frozen =
    planPath === null ? [] : [`${countOf(episodes, 'episode')} frozen as ${planDigest}`, planPath]
  const rule = plan.stop ? [describeRule(plan)] : []
  const registered = registration
    ? registrationLines(registration, planPath ?? 'plan.json', plan)
    : []
  printResult(
    [...(about ? [explainText(about)] : []), ...rule, ...frozen, ...registered].join('\n'),
  )
}

/** Makes the plan from the options after all checks have passed; prints its warnings on stderr. */
async function makePlan(
  options: Options,
  verifier: LazyVerifier,
): Promise<PlanAnswer & { suite: Suite }> {
  const { suite: name } = options
  const subject = nameSubject(options)
  if (!name || subject === null)
    throw usageError('no plan specified: use --suite NAME --subject NAME')
  const loaded = await openAskedSuite(name, options, verifier)
  const settings = readSettings(options)
  const request = { ...options, subject, settings } as PlanOptions
  const { plan, warnings } = await buildPlan(request, loaded, systemClock.now())
  for (const warning of warnings) writeError(`warning: ${warning}`)
  // Harbor checks its machine itself.
  if (plan.escrow) return { suite: loaded.suite, plan, warnings: [...warnings], isolation: null }
  await openIsolation(plan)
  refuseUnpricedBudget(plan, options)
  openSpending(plan, options)
  if (options.runnable) await requireRunnable(plan, options)
  const quota = options.runnable ? await describeQuota(plan, options) : null
  const line = await isolationLine(plan, settings.isolation)
  if (line !== null) writeError(line)
  const isolation = line?.replace(/^isolation: /, '') ?? null
  return {
    suite: loaded.suite,
    plan,
    warnings: [...warnings, ...(quota === null ? [] : [quota])],
    isolation,
  }
}

/** Registers a plan that is already frozen, or its digest alone; writes no file. */
async function registerKnown(options: Options): Promise<void> {
  const { plan: path, digest, json } = options
  const plan = path === undefined ? (digest ?? '') : readPlan(path)
  const planDigest = typeof plan === 'string' ? plan : plan.planDigest
  const registration = await registerHere(plan, options)
  if (json) printJsonResult({ planDigest, registration })
  else printResult(registrationLines(registration, path ?? 'plan.json', plan).join('\n'))
}

function registrationLines(
  { summary, runIds, hash }: RegisteredHere,
  path: string,
  plan: Plan | string,
): string[] {
  if (typeof plan === 'object' && plan.escrow)
    return [summary, ...runIds.map((runId) => `run the job of Harbor with the job_name ${runId}`)]
  const run = (runId: string) =>
    `proofboard run --plan ${path} --run-id ${runId} --registration ${hash}`
  return [summary, ...runIds.map(run)]
}

/** Writes the plan; an explanation alone freezes nothing. */
async function writePlan(plan: Plan, { explain, out, register }: Options): Promise<string | null> {
  if (explain && out === undefined && !register) return null
  const path = resolve(out ?? 'plan.json')
  await writeAtomic(path, `${JSON.stringify(plan, null, 2)}\n`)
  return path
}

const TAKEN_FROM_RESULTS = [
  'subject',
  'agentFile',
  'libraryFile',
  'model',
  'provider',
  'agentVersion',
  'providerFile',
  'command',
  'name',
  'subjectVersion',
  'tasks',
  'first',
  'repetitions',
  'arms',
  'arm',
  ...['stopWhen', 'smallestDifference', 'stopError'],
  ...OPTION_LIST.map(({ option }) => attributeOf(option.flag)),
]

function refuseMixed(options: Options, command: Command): void {
  refuseRegister(options, command)
  if (!options.topUp) {
    if (options.perTask || options.samples !== undefined)
      throw usageError('--per-task and --samples require --top-up RESULT')
    refuseUnexplained(options)
    return
  }
  if (options.explain) throw usageError('--top-up cannot be combined with --explain')
  const given = TAKEN_FROM_RESULTS.find((name) => command.getOptionValueSource(name) === 'cli')
  const flag = command.options.find((option) => option.attributeName() === given)?.long
  if (flag)
    throw usageError(`--top-up uses the subject and settings of the results: remove ${flag}`)
}

/** Rejects options of an explanation if none was requested. */
function refuseUnexplained({ past, detect, explain, for: budget }: Options): void {
  if (past && !explain) throw usageError('--past requires --explain')
  if (detect !== undefined && !explain) throw usageError('--detect requires --explain', '--detect')
  if (budget !== undefined && detect === undefined)
    throw usageError('--for requires --detect POINTS', '--for')
}

/** Rejects options of a registration without `--register`, and two sources of the registered plan. */
function refuseRegister({ register, plan, digest, topUp }: Options, command: Command): void {
  const names = [
    ...['plan', 'digest', 'to', 'runId', 'expected', 'again', 'audience', 'insecure'],
    'outputFile',
  ]
  const given = names.filter((name) => command.getOptionValueSource(name) === 'cli')
  const flag = command.options.find((option) => option.attributeName() === given[0])?.long
  if (!register && flag) throw usageError(`${flag} requires --register`)
  if (!register) return
  if (topUp) throw usageError('freeze the top-up first, then register it with --plan FILE')
  if (plan !== undefined && digest !== undefined)
    throw usageError('use --plan FILE or --digest sha256:…, not both')
  if (plan === undefined && digest === undefined) return
  const freezing = [...TAKEN_FROM_RESULTS, 'suite', 'out', 'explain']
  const wrong = freezing.find((name) => command.getOptionValueSource(name) === 'cli')
  if (!wrong) return
  const long = command.options.find((option) => option.attributeName() === wrong)?.long
  throw usageError(`the plan is already frozen: remove ${long}`)
}

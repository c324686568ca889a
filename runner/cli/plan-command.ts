import { resolve } from 'node:path'
import type { Command } from 'commander'
import { countSlots } from '#lib/domain/expand-plan.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import { systemClock } from '../clock.ts'
import { writeAtomic } from '../store/write-atomic.ts'
import { buildPlan, type PlanOptions } from './build-plan.ts'
import { UsageError } from './cli-error.ts'
import { explainPlanFor } from './explain-plan-for.ts'
import { explainText } from './explain-text.ts'
import { nameSubject } from './name-subject.ts'
import { openIsolation, tellIsolation } from './open-isolation.ts'
import { LazyGate, openSuite } from './open-suite.ts'
import { wholeNumber } from './options.ts'
import { answer, answerJson } from './output.ts'
import { addPlanOptions } from './plan-options.ts'
import { planTopUpFile, type TopUpOptions } from './plan-top-up-file.ts'
import { readPlan } from './read-plan.ts'
import {
  addRegisterOptions,
  type RegisteredHere,
  type RegisterOptions,
  registerHere,
} from './register-here.ts'

type Options = Partial<PlanOptions> &
  Partial<TopUpOptions> &
  RegisterOptions & { explain?: boolean; past?: string[]; concurrency: number }

/** `proofboard plan`: freezes what will be asked, before anything runs, or explains what it would show and take. */
export function addPlanCommand(program: Command): void {
  const command = addPlanOptions(
    program
      .command('plan')
      .description('create a frozen plan of suite, subject, settings and repetitions'),
  )
    .option('--explain', 'estimate power, cost and time; writes the plan only with --out')
    .option('--past <file|dir...>', 'results for the estimate (default: those in the data folder)')
    .option(
      '--concurrency <n>',
      'concurrent episodes, for the time estimate',
      wholeNumber('--concurrency', 64),
      1,
    )
    .option(
      '--top-up <result.json|run folder...>',
      'plan only the missing episodes of these results',
    )
    .option('--per-task', 'with --top-up: enough episodes for each task')
    .option('--samples <n>', 'with --top-up: this many samples per task', wholeNumber('--samples'))
    .option('--out <plan.json>', 'where to write the plan (default: plan.json)')
    .option('--json', 'print one JSON object as the last line of stdout')
  addRegisterOptions(command).action(execute)
}

async function execute(options: Options, command: Command): Promise<void> {
  refuseMixed(options, command)
  if (options.plan !== undefined || options.digest !== undefined) return registerKnown(options)
  const gate = new LazyGate()
  try {
    const { topUp } = options
    if (topUp) await planTopUpFile({ ...options, topUp }, gate)
    else await freezeNew(options, gate)
  } finally {
    await gate.close()
  }
}

async function freezeNew(options: Options, gate: LazyGate): Promise<void> {
  const { suite: name } = options
  const subject = nameSubject(options)
  if (!name || subject === null)
    throw new UsageError('no plan specified: use --suite NAME --subject NAME')
  const suite = await openSuite(name, gate)
  const asked = { ...options, subject } as PlanOptions
  const plan = await buildPlan(asked, suite, systemClock.now())
  await openIsolation(plan)
  await tellIsolation(plan, options.isolation)
  const about = options.explain ? explainPlanFor(plan, suite.suite, options) : null
  const planPath = await writePlan(plan, options)
  const episodes = countSlots(plan)
  const { planDigest } = plan
  const registration = options.register ? await registerHere(plan, options) : null
  if (options.json) {
    const told = { ...(about && { explanation: about }), ...(registration && { registration }) }
    answerJson({ ...told, planDigest, planPath, episodes, plan })
    return
  }
  const frozen = planPath === null ? [] : [`${episodes} episodes frozen as ${planDigest}`, planPath]
  const registered = registration ? registrationLines(registration, planPath ?? 'plan.json') : []
  answer([...(about ? [explainText(about)] : []), ...frozen, ...registered].join('\n'))
}

/** Registers a plan that is frozen already, or known by its digest alone; writes no file. */
async function registerKnown(options: Options): Promise<void> {
  const { plan: path, digest, json } = options
  const plan = path === undefined ? (digest ?? '') : readPlan(path)
  const planDigest = typeof plan === 'string' ? plan : plan.planDigest
  const registration = await registerHere(plan, options)
  if (json) answerJson({ planDigest, registration })
  else answer(registrationLines(registration, path ?? 'plan.json').join('\n'))
}

function registrationLines({ summary, runIds }: RegisteredHere, path: string): string[] {
  return [summary, ...runIds.map((runId) => `proofboard run --plan ${path} --run-id ${runId}`)]
}

/** An explanation alone freezes nothing. */
async function writePlan(
  plan: FrozenPlan,
  { explain, out, register }: Options,
): Promise<string | null> {
  if (explain && out === undefined && !register) return null
  const path = resolve(out ?? 'plan.json')
  await writeAtomic(path, `${JSON.stringify(plan, null, 2)}\n`)
  return path
}

const TAKEN_FROM_RESULTS = [
  'subject',
  'agentFile',
  'model',
  'provider',
  'maxSteps',
  'maxTokens',
  'maxCost',
  'temperature',
  'command',
  'name',
  'subjectVersion',
  'tasks',
  'repetitions',
  'timeout',
  'isolation',
  'seed',
]

function refuseMixed(options: Options, command: Command): void {
  refuseRegister(options, command)
  if (!options.topUp) {
    if (options.perTask || options.samples !== undefined)
      throw new UsageError('--per-task and --samples require --top-up RESULT')
    if (options.past && !options.explain) throw new UsageError('--past requires --explain')
    return
  }
  if (options.explain) throw new UsageError('--top-up cannot be combined with --explain')
  const given = TAKEN_FROM_RESULTS.find((name) => command.getOptionValueSource(name) === 'cli')
  const flag = command.options.find((option) => option.attributeName() === given)?.long
  if (flag)
    throw new UsageError(`--top-up uses the subject and settings of the results: remove ${flag}`)
}

/** Options of a registration without `--register`, and two names for what is registered. */
function refuseRegister({ register, plan, digest, topUp }: Options, command: Command): void {
  const names = ['plan', 'digest', 'to', 'runId', 'expected', 'again', 'audience', 'insecure']
  const given = names.filter((name) => command.getOptionValueSource(name) === 'cli')
  const flag = command.options.find((option) => option.attributeName() === given[0])?.long
  if (!register && flag) throw new UsageError(`${flag} requires --register`)
  if (!register) return
  if (topUp) throw new UsageError('freeze the top-up first, then register it with --plan FILE')
  if (plan !== undefined && digest !== undefined)
    throw new UsageError('use --plan FILE or --digest sha256:…, not both')
  if (plan === undefined && digest === undefined) return
  const freezing = [...TAKEN_FROM_RESULTS, 'suite', 'out', 'explain']
  const wrong = freezing.find((name) => command.getOptionValueSource(name) === 'cli')
  if (!wrong) return
  const long = command.options.find((option) => option.attributeName() === wrong)?.long
  throw new UsageError(`the plan is already frozen: remove ${long}`)
}

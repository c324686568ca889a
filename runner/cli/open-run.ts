import { type Environment, entriesOf, needsSandbox, type Plan } from '#lib/domain/record/index.ts'
import { SCRIPTED } from '#lib/domain/runs/index.ts'
import { RunSpending } from '../engine/spending.ts'
import type { ModelSource } from '../gateway/model-access.ts'
import { whyNoSandbox } from '../libraries/sandbox/library-sandbox.ts'
import { type RunnerError, usageError } from '../runner-error.ts'
import { allocatesUsers } from '../sandbox/isolation/allocate-sandbox-uid.ts'
import {
  chooseIsolation,
  type DecidedBy,
  describeIsolation,
} from '../sandbox/isolation/choose-isolation.ts'
import { closeAnswers } from '../sandbox/isolation/close-answers.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { pickAgent } from '../subjects/agents/load-agents.ts'
import { splitPair } from '../workflow/agent-pair.ts'
import { isPriced, type OwnFiles } from './open-providers.ts'
import type { RequestedIsolation } from './options.ts'
import { writeError } from './output.ts'

/** The isolation of a plan, ready to use; a machine that lacks it is reported before anything runs. */
export async function openIsolation({
  settings,
  subject,
}: Pick<Plan, 'settings' | 'subject'>): Promise<Isolation> {
  const level = settings.isolation
  if (level !== 'local' && subject.kind === 'control')
    throw usageError(
      `subject "${subject.name}" runs inside the harness and needs no sandbox: remove --isolation ${level}`,
      '--isolation',
    )
  const isolation = chooseIsolation(level)
  // This level needs nothing of the machine: there is no sandbox and no allocated user.
  if (level === 'local' && subjectUserOf({ settings, subject }).subjectUser !== 'own')
    return isolation
  const refusal = await isolation.available()
  if (refusal !== null)
    throw usageError(`--isolation ${level} is not available here: ${refusal}`, '--isolation')
  return isolation
}

/** The level and why, in one line; null for subjects that are code of this project. */
export async function isolationLine(
  { settings, subject }: Pick<Plan, 'settings' | 'subject'>,
  requested: RequestedIsolation | 'plan' | undefined,
): Promise<string | null> {
  if (!needsSandbox(subject)) return null
  if (subject.kind === 'library') return libraryIsolation()
  const kind = settings.browser === undefined ? subject.kind : 'library'
  return describeIsolation(settings.isolation, decidedBy({ kind }, requested))
}

/** A browser suite is run at `local`; the process of a library has a sandbox of its own. */
async function libraryIsolation(): Promise<string> {
  const why = await whyNoSandbox(RUNNER_ENV)
  if (why === null)
    return 'isolation: bubblewrap around the library, which reaches its browser alone'
  return `isolation: none around the library (${why}); entries measured here will not be ranked`
}

function decidedBy(
  { kind }: Pick<Plan['subject'], 'kind'>,
  requested: RequestedIsolation | 'plan' = 'auto',
): DecidedBy {
  if (requested === 'plan') return 'plan'
  if (kind === 'library') return 'browser'
  return requested === 'auto' ? 'auto' : 'option'
}

/**
 * Returns which user's files the subject's programs can read at `local`; nothing for a sandbox or a control. A library
 * is started by the runner itself.
 */
export function subjectUserOf({
  settings,
  subject,
}: Pick<Plan, 'settings' | 'subject'>): Pick<Environment, 'subjectUser'> {
  if (settings.isolation !== 'local' || !needsSandbox(subject)) return {}
  const isOfExercises = subject.kind === 'agent' && settings.browser === undefined
  return { subjectUser: isOfExercises && allocatesUsers() ? 'own' : 'runner' }
}

/** Closes folders with answers to a subject that is another user here, and prints which ones were open. */
export async function printClosedFolders(
  plan: Pick<Plan, 'settings' | 'subject'>,
  suiteFolder: string,
): Promise<void> {
  if (subjectUserOf(plan).subjectUser !== 'own') return
  const closed = await closeAnswers(suiteFolder)
  if (closed.length === 0) return
  writeError(
    `closed to other users of this machine, because they contain answers: ${closed.join(', ')}`,
  )
}

type SpendingOptions = OwnFiles & { spendCap?: number }

/** The run's cap, or null by default; refuses one that cannot be enforced, in one sentence. */
export function openSpending(plan: Plan, request: SpendingOptions): RunSpending | null {
  const { spendCap, agentFile } = request
  if (spendCap === undefined) return null
  const { modelRequested: model, name } = plan.subject
  if (plan.settings.login !== undefined) throw flatError('--spend-cap')
  if (model === null || !isMetered(plan, agentFile ?? null))
    throw usageError(
      `"${name}" does not call a model through the gateway, so --spend-cap cannot be enforced: remove it`,
      '--spend-cap',
    )
  if (!isPriced(plan, request, plan.frozenAt)) throw unpricedError(plan, '--spend-cap')
  const limits = entriesOf<Plan['settings']>(plan).map((one) => one.settings.maxCostMicroUsd)
  const max = limits.includes(null) ? null : Math.max(...limits.map(Number))
  return new RunSpending(spendCap, max)
}

/** Refuses a cost budget for a model without a price, because it could not be enforced. */
export function refuseUnpricedBudget(
  plan: Plan,
  files: OwnFiles,
  from: ModelSource['kind'] = 'provider',
): void {
  const { subject, settings } = plan
  refuseFlatBudget(settings)
  const isPaid =
    subject.modelRequested !== null && subject.provider !== SCRIPTED && from === 'provider'
  if (settings.maxCostMicroUsd === null || !isPaid || isPriced(plan, files, plan.frozenAt)) return
  throw unpricedError(plan, '--max-cost')
}

/** A subscription has no price per call, so a budget has nothing to count and a user's price does not apply. */
function refuseFlatBudget({ login, maxCostMicroUsd, price }: Plan['settings']): void {
  if (login === undefined) return
  if (maxCostMicroUsd !== null) throw flatError('--max-cost')
  if (price !== undefined) throw flatError('--price')
}

function flatError(option: '--spend-cap' | '--max-cost' | '--price'): RunnerError {
  const effect = option === '--price' ? 'used' : 'enforced'
  return usageError(
    `a subscription has no price per call, so ${option} cannot be ${effect} with --login: remove it`,
    option,
  )
}

function unpricedError({ subject }: Plan, option: '--spend-cap' | '--max-cost'): RunnerError {
  const { modelRequested: model, provider } = subject
  return usageError(
    `"${model}" of ${provider ?? 'that provider'} is not in the price table, so ${option} cannot be enforced: give its price in USD per million tokens (--price 3/15 for input and output, --price free, or a provider file), or remove ${option}`,
    option,
  )
}

/** A model that drives a browser library always speaks through the gateway. */
function isMetered({ subject, command }: Plan, agentFile: string | null): boolean {
  if (subject.kind !== 'agent' || splitPair(subject.name) !== null) return true
  return command === null && pickAgent(subject.name, agentFile).metering === 'gateway'
}

import { canonicalJson } from '../../digest/index.ts'
import { roleOfModel } from '../../record/index.ts'
import { readTime, readTimes } from '../reported-run.ts'
import type { EscrowAtif, EscrowJob, EscrowPlan, EscrowProblem, EscrowTrial } from './escrow-job.ts'

/** Finds everything in one trial that contradicts its job, its plan or itself. */
export function checkTrial(one: EscrowTrial, job: EscrowJob, plan: EscrowPlan): EscrowProblem[] {
  const { trial_name: name } = one.trial
  return CHECKS.flatMap(({ code, find }) => {
    const message = find(one, { job, plan })
    return message === null ? [] : { code, message: `${name} ${message}` }
  })
}

type TrialContext = { job: EscrowJob; plan: EscrowPlan }
type Check = { code: string; find: (one: EscrowTrial, around: TrialContext) => string | null }

const CHECKS: readonly Check[] = [
  { code: 'older-job', find: findOtherJob },
  { code: 'slot-exchanged', find: findExchanged },
  { code: 'agent', find: findOtherAgent },
  { code: 'model', find: findOtherModel },
  { code: 'agent-log', find: findMissingLog },
  { code: 'reward', find: findOtherReward },
  { code: 'final-state', find: findMissingState },
  { code: 'times', find: findOddTimes },
  { code: 'time-short', find: findShortTime },
  { code: 'tokens-short', find: findFewTokens },
]

function findOtherJob({ trial }: EscrowTrial, { job: { job } }: TrialContext): string | null {
  return trial.config.job_id === job.id ? null : 'belongs to another job'
}

/** Task, name and configuration of a trial have to name one task. */
function findExchanged({ trial, config }: EscrowTrial): string | null {
  const { task_name: task, trial_name: name } = trial
  const { path, name: named } = trial.config.task
  const requested = lastPart(named ?? path ?? '')
  const own = lastPart(task)
  if (requested !== own)
    return `is of ${task}, and its configuration names ${requested || 'no task'}`
  // Harbor cuts long names, and drops what the cut leaves at the end.
  const start = own.slice(0, MAX_NAME).replace(/[_-]+$/, '')
  if (!name.startsWith(`${start}__`)) return `is of ${task}, which its name does not say`
  return config !== null && canonicalJson(config) === canonicalJson(trial.config)
    ? null
    : 'has a config.json that is not the configuration of its result'
}

const MAX_NAME = 32

function lastPart(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? ''
}

function findOtherAgent({ trial, trajectory }: EscrowTrial, { plan }: TrialContext): string | null {
  const { name, version } = trial.agent_info
  const planned = plan.subject
  const found = `ran ${name} ${version ?? 'of unknown version'}`
  if (`harbor-${name}` !== planned.name || version !== planned.version) return found
  const other = trajectory?.agent
  if (other && (other.name !== name || (other.version ?? version) !== version))
    return `has a trajectory of ${other.name} ${other.version ?? ''}`.trim()
  return null
}

function findOtherModel(one: EscrowTrial, { plan }: TrialContext): string | null {
  const { provider, modelRequested } = plan.subject
  const { model_info: info } = one.trial.agent_info
  const requested = one.trial.config.agent.model_name
  const planned = [provider, modelRequested].filter(Boolean).join('/')
  if (requested !== planned) return `asked for ${requested ?? 'no model'}`
  if (info && (info.name !== modelRequested || (info.provider ?? provider) !== provider))
    return `ran with ${info.provider ?? ''}/${info.name}`
  const odd = observedModels(one.trajectory).find(
    (model) => roleOfModel(plan.subject, model) === 'other',
  )
  return odd === undefined ? null : `has a trajectory of ${odd}`
}

/** The models that answered, by the agent's own log, without their providers. */
export function observedModels(trajectory: EscrowAtif | null): string[] {
  const { agent, steps = [] } = trajectory ?? {}
  const names = [agent?.model_name, ...steps.map(({ model_name: name }) => name)]
  return [...new Set(names.flatMap((name) => name?.slice(name.indexOf('/') + 1) ?? []))]
}

/** An attempt whose agent never started has no log, and no reward. */
function findMissingLog({ trial, trajectory, trajectoryDigest }: EscrowTrial): string | null {
  if (trajectory !== null) return null
  if (trajectoryDigest !== null) return 'has an agent/trajectory.json that is not ATIF'
  return trial.agent_execution === null || trial.agent_execution === undefined
    ? null
    : 'has no agent/trajectory.json'
}

function findOtherReward({ trial, reward }: EscrowTrial): string | null {
  const rewards = trial.verifier_result?.rewards ?? trial.verifier_result?.reward ?? null
  const stated =
    typeof rewards === 'number' || rewards === null ? rewards : (rewards.reward ?? undefined)
  if (stated === undefined || (stated === null && reward === null)) return null
  return stated === reward
    ? null
    : `has the reward ${stated ?? 'none'}, and its verifier wrote ${reward ?? 'none'}`
}

function findMissingState({ trial, state }: EscrowTrial, { plan }: TrialContext): string | null {
  // A trial that was stopped by an error of Harbor may have none, and counts as failed.
  if (state !== null || (trial.exception_info && !trial.verifier_result)) return null
  const task = Object.values(plan.escrow.tasks).find(({ name }) => name === trial.task_name)
  return `has no final state: artifacts/manifest.json must list ${task?.workdir ?? 'its folder'} as ok`
}

/** The phases of a trial follow each other, within its own time and that of its job. */
function findOddTimes({ trial }: EscrowTrial, { job: { job } }: TrialContext): string | null {
  const { environment_setup: setup, agent_setup: agent, agent_execution: run, verifier } = trial
  const phases = [setup, agent, run, verifier].filter((one) => one !== null && one !== undefined)
  const instants = [
    ...[job.started_at, trial.started_at],
    ...phases.flatMap((one) => [one.started_at, one.finished_at]),
    ...[trial.finished_at, job.finished_at],
  ].map((one) => readTime(one))
  if (instants.some((one) => one === null)) return 'has a phase without a time'
  if (instants.some((one) => one?.hasZone === false)) return 'has times without a zone'
  const at = instants.map((one) => one?.at ?? '')
  return at.every((one, index) => index === 0 || (at[index - 1] ?? '') <= one)
    ? null
    : 'has phases that are not in order'
}

/** Tolerance for a log that is written while a phase begins or ends. */
const LOG_MS = 2000

/** The agent's steps were made while the agent ran. */
function findShortTime({ trial, trajectory }: EscrowTrial): string | null {
  const run = readTimes(trial.agent_execution?.started_at, trial.agent_execution?.finished_at)
  const steps = (trajectory?.steps ?? []).filter((step) => !step.is_copied_context)
  const at = steps.flatMap(({ timestamp }) => readTime(timestamp)?.at ?? []).map(Date.parse)
  if (at.length === 0) return null
  const [first, last] = [Math.min(...at), Math.max(...at)]
  const isInside =
    run !== null &&
    first >= Date.parse(run.startedAt) - LOG_MS &&
    last <= Date.parse(run.endedAt) + LOG_MS
  return isInside ? null : 'has a trajectory that takes longer than the agent ran'
}

/** Stated usage is that of the trajectory: of its steps, and of its own sums. */
function findFewTokens({ trial, trajectory }: EscrowTrial): string | null {
  const {
    n_input_tokens: input,
    n_output_tokens: output,
    cost_usd: cost,
  } = trial.agent_result ?? {}
  const final = trajectory?.final_metrics
  const steps = (trajectory?.steps ?? []).filter((step) => !step.is_copied_context)
  const sum = (
    of: (one: NonNullable<(typeof steps)[number]['metrics']>) => number | null | undefined,
  ) => steps.reduce((all, { metrics }) => all + ((metrics && of(metrics)) ?? 0), 0)
  const figures = [
    {
      what: 'input tokens',
      stated: input,
      logged: [final?.total_prompt_tokens, sum((one) => one.prompt_tokens)],
    },
    {
      what: 'output tokens',
      stated: output,
      logged: [final?.total_completion_tokens, sum((one) => one.completion_tokens)],
    },
    { what: 'USD', stated: cost, logged: [final?.total_cost_usd, sum((one) => one.cost_usd)] },
  ]
  for (const { what, stated, logged } of figures) {
    const max = Math.max(...logged.map((one) => one ?? 0))
    if (max > 0 && (stated ?? 0) < max * (1 - ROUNDING))
      return `states ${stated ?? 'no'} ${what}, and its trajectory has ${max}`
  }
  return null
}

const ROUNDING = 1e-6

import type { HarborFile, HarborStep, HarborTask, Healthcheck } from '#lib/domain/tasks/index.ts'
import { agentOf, baselineOf, networkOf, verifierOf } from './describe-parts.ts'

type StepFile = HarborFile['steps'][number]

/** Describes the healthcheck and the steps of a task; `instruction` is empty, because it is a file of the step. */
export function describeSteps(file: HarborFile): Pick<HarborTask, 'healthcheck'> & {
  steps: HarborStep[]
} {
  const { healthcheck } = file.environment
  return {
    ...(healthcheck && { healthcheck: healthcheckOf(healthcheck) }),
    steps: file.steps.map((step) => describeStep(file, step)),
  }
}

function describeStep(file: HarborFile, step: StepFile): HarborStep {
  const { agent, verifier, artifacts } = mergeStep(file, step)
  const { min_reward: least, healthcheck } = step
  const isOn = baselineOf(file)
  const networkIn = (part: 'agent' | 'verifier') =>
    networkOf(step[part], networkOf(file[part], isOn) === 'on')
  return {
    name: step.name,
    instruction: '',
    agent: agentOf(agent, networkIn('agent')),
    verifier: verifierOf(verifier, networkIn('verifier'), artifacts),
    ...(healthcheck && { healthcheck: healthcheckOf(healthcheck) }),
    minRewards: typeof least === 'number' ? { reward: least } : (least ?? {}),
  }
}

/** Returns the parts of a step, with those of the task where the step says nothing. */
export function mergeStep(
  file: HarborFile,
  { agent, verifier, artifacts = [] }: StepFile,
): Pick<HarborFile, 'agent' | 'verifier' | 'artifacts'> {
  const hasEnvironment = verifier.environment !== undefined
  const mode = verifier.environment_mode ?? (hasEnvironment ? 'separate' : undefined)
  return {
    agent: { ...file.agent, ...agent },
    verifier: {
      ...file.verifier,
      ...verifier,
      ...(mode && { environment_mode: mode }),
      timeout_sec: verifier.timeout_sec ?? file.verifier.timeout_sec,
      env: { ...file.verifier.env, ...verifier.env },
    },
    artifacts: [...(file.artifacts ?? []), ...artifacts],
  }
}

function healthcheckOf(check: NonNullable<HarborFile['environment']['healthcheck']>): Healthcheck {
  const toMs = (seconds: number) => Math.round(seconds * 1000)
  return {
    command: check.command,
    intervalMs: toMs(check.interval_sec),
    timeoutMs: toMs(check.timeout_sec),
    startMs: toMs(check.start_period_sec),
    startIntervalMs: toMs(check.start_interval_sec),
    retries: check.retries,
  }
}

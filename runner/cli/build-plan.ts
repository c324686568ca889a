import { POLICY_VERSION } from '#lib/domain/eligibility/policy.ts'
import type { Settings } from '#lib/domain/plan.ts'
import { freezePlan, type Plan } from '#lib/domain/plan.ts'
import {
  findSubject,
  type PlannableSubject,
  UnknownSubjectError,
} from '../controls/find-subject.ts'
import type { LoadedSuite } from '../suites/load-suite.ts'
import { selectTasks } from '../suites/load-suite.ts'
import { UsageError } from './cli-error.ts'
import { complain } from './output.ts'

export type PlanOptions = {
  subject: string
  command?: string
  name?: string
  subjectVersion?: string
  agentFile?: string
  model?: string
  provider?: string
  maxSteps?: number
  maxTokens?: number
  /** Millionths of a US dollar. */
  maxCost?: number
  temperature?: number | 'provider-fixed'
  fault?: string
  tasks?: string[]
  repetitions: number
  timeout: number
  isolation?: Settings['isolation']
  seed: number
}

/** What nobody asked to change. */
const DEFAULT_SETTINGS: Pick<Settings, 'diskQuotaBytes' | 'maxAttempts'> = {
  diskQuotaBytes: 512 << 20,
  maxAttempts: 3,
}

/** Freezes a plan from the command line's options; refuses what the subject cannot do, by name. */
export async function buildPlan(
  options: PlanOptions,
  { suite, tasks }: LoadedSuite,
  now: string,
): Promise<Plan> {
  const chosen = selectTasks(tasks, options.tasks ?? null)
  const found = await pickSubject(options)
  for (const warning of found.warnings) complain(`warning: ${warning}`)
  refuseUnkeptPins(options, found)
  const refused = chosen.flatMap((task) => {
    const reason = found.refuses(task)
    return reason ? [`${task.task.taskId} ${reason}`] : []
  })
  if (refused.length > 0)
    throw new UsageError(
      `subject "${options.subject}" cannot be run on ${refused.slice(0, 5).join('; ')}: choose other --tasks`,
    )
  return freezePlan(
    {
      suiteId: suite.suiteId,
      suiteDigest: suite.digest,
      tasks: chosen.map(({ task: { taskId, digest, category } }) => ({ taskId, digest, category })),
      subject: found.subject,
      command: options.command ?? null,
      repetitions: options.repetitions,
      settings: planSettings(options),
      policyVersion: POLICY_VERSION,
    },
    { now },
  )
}

function planSettings(options: PlanOptions): Settings {
  return {
    ...DEFAULT_SETTINGS,
    maxSteps: options.maxSteps ?? null,
    maxTokens: options.maxTokens ?? null,
    maxCostMicroUsd: options.maxCost ?? null,
    temperature: options.temperature ?? null,
    timeoutMs: options.timeout * 1000,
    isolation: options.isolation ?? 'local',
    seed: options.seed,
    ...(options.fault !== undefined && { fault: options.fault }),
  }
}

/** A pin that nobody can keep would be a promise in a sealed plan. */
function refuseUnkeptPins(options: PlanOptions, { subject, metered }: PlannableSubject): void {
  if (metered) return
  const asked = Object.entries({
    '--max-steps': options.maxSteps,
    '--max-tokens': options.maxTokens,
    '--max-cost': options.maxCost,
    '--fault': options.fault,
    '--temperature': options.temperature === 'provider-fixed' ? undefined : options.temperature,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (asked.length > 0)
    throw new UsageError(
      `no gateway stands between "${subject.name}" and a model, so ${asked.join(', ')} cannot be kept: leave ${asked.length === 1 ? 'it' : 'them'} out`,
    )
}

async function pickSubject(options: PlanOptions): Promise<PlannableSubject> {
  if (options.command === undefined && options.name !== undefined)
    throw new UsageError('--name goes with --command')
  try {
    return await findSubject({
      name: options.command === undefined ? options.subject : (options.name ?? options.subject),
      command: options.command ?? null,
      version: options.subjectVersion ?? null,
      agentFile: options.agentFile ?? null,
      model: options.model ?? null,
      provider: options.provider ?? null,
    })
  } catch (error) {
    if (error instanceof UnknownSubjectError) throw new UsageError(error.message)
    throw error
  }
}

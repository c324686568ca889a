import { POLICY_VERSION } from '#lib/domain/eligibility/policy.ts'
import type { Settings } from '#lib/domain/plan.ts'
import { freezePlan, type Plan } from '#lib/domain/plan.ts'
import { findSubject, UnknownSubjectError } from '../controls/find-subject.ts'
import type { LoadedSuite } from '../suites/load-suite.ts'
import { selectTasks } from '../suites/load-suite.ts'
import { UsageError } from './cli-error.ts'

export type PlanOptions = {
  subject: string
  command?: string
  name?: string
  subjectVersion?: string
  tasks?: string[]
  repetitions: number
  timeout: number
  isolation?: Settings['isolation']
  seed: number
}

/** What nobody asked to change. */
const DEFAULT_SETTINGS: Omit<Settings, 'timeoutMs' | 'isolation' | 'seed'> = {
  maxSteps: null,
  maxTokens: null,
  maxCostMicroUsd: null,
  temperature: null,
  diskQuotaBytes: 512 << 20,
  maxAttempts: 3,
}

/** Freezes a plan from the command line's options; refuses tasks the subject cannot be run on, by name. */
export function buildPlan(options: PlanOptions, { suite, tasks }: LoadedSuite, now: string): Plan {
  const chosen = selectTasks(tasks, options.tasks ?? null)
  const driver = pickSubject(options)
  const refused = chosen.flatMap((task) => {
    const reason = driver.refuses(task)
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
      subject: driver.subject,
      command: options.command ?? null,
      repetitions: options.repetitions,
      settings: {
        ...DEFAULT_SETTINGS,
        timeoutMs: options.timeout * 1000,
        isolation: options.isolation ?? 'local',
        seed: options.seed,
      },
      policyVersion: POLICY_VERSION,
    },
    { now },
  )
}

function pickSubject(options: PlanOptions) {
  if (options.command === undefined && options.name !== undefined)
    throw new UsageError('--name goes with --command')
  const name = options.command === undefined ? options.subject : (options.name ?? options.subject)
  try {
    return findSubject(name, options.command ?? null, options.subjectVersion ?? null)
  } catch (error) {
    if (error instanceof UnknownSubjectError) throw new UsageError(error.message)
    throw error
  }
}

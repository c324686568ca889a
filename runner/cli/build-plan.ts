import { POLICY_VERSION } from '#lib/domain/eligibility/policy.ts'
import { BROWSER_FAULT_KINDS, browserFaultKindSchema } from '#lib/domain/record/browser.ts'
import { freezePlan, type Plan, type Settings } from '#lib/domain/record/plan.ts'
import { unknownName } from '#lib/domain/record/text.ts'
import { faultsOf } from '#lib/domain/tasks/workflow.ts'
import { parseFault } from '../gateway/faults.ts'
import { findStrongest } from '../sandbox/isolation/choose-isolation.ts'
import { readAgentFile } from '../subjects/agents/load-agents.ts'
import {
  findSubject,
  type PlannableSubject,
  UnknownSubjectError,
} from '../subjects/find-subject.ts'
import {
  type BrowserSuite,
  type ExerciseSuite,
  type LoadedSuite,
  selectTasks,
} from '../suites/load-suite.ts'
import type { LoadedTask, LoadedWorkflow } from '../suites/task-folder.ts'
import { findWorkflowSubject } from '../workflow/find-workflow-subject.ts'
import type { AskedIsolation } from './options.ts'
import { complain, UsageError } from './output.ts'

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
  fault?: string | undefined
  browser?: 'reused' | 'cold'
  tasks?: string[]
  repetitions: number
  timeout: number
  /** Absent or `auto` = the strongest level of this machine. */
  isolation?: AskedIsolation
  seed: number
}

/** What nobody asked to change. */
const DEFAULT_SETTINGS: Pick<Settings, 'diskQuotaBytes' | 'maxAttempts'> = {
  diskQuotaBytes: 512 << 20,
  maxAttempts: 3,
}

/** What a plan is made of before its settings. */
type Asked = Pick<Plan, 'subject'> & { chosen: readonly LoadedTask[]; settings: Settings }

/** Freezes a plan from the command line's options; refuses what the subject cannot do, by name. */
export async function buildPlan(
  options: PlanOptions,
  loaded: LoadedSuite,
  now: string,
): Promise<Plan> {
  const { subject, chosen, settings } = await tellUsage(() =>
    loaded.kind === 'browser' ? askForWorkflows(options, loaded) : askForExercises(options, loaded),
  )
  const { suite } = loaded
  return freezePlan(
    {
      suiteId: suite.suiteId,
      suiteDigest: suite.digest,
      tasks: chosen.map(({ task: { taskId, digest, category } }) => ({ taskId, digest, category })),
      subject,
      command: options.command ?? null,
      repetitions: options.repetitions,
      settings,
      policyVersion: POLICY_VERSION,
    },
    { now },
  )
}

async function askForExercises(options: PlanOptions, { tasks }: ExerciseSuite): Promise<Asked> {
  const chosen = selectTasks(tasks, options.tasks ?? null)
  if (options.browser !== undefined)
    throw new UsageError('--browser is only for browser suites: remove it')
  const found = await pickSubject(options)
  for (const warning of found.warnings) complain(`warning: ${warning}`)
  refuseUnkeptPins(options, found)
  if (options.fault !== undefined) refuseUnknownFault(options.fault)
  const refused = chosen.flatMap((task) => {
    const reason = found.refuses(task)
    return reason ? [`${task.task.taskId} ${reason}`] : []
  })
  if (refused.length > 0)
    throw new UsageError(
      `subject "${options.subject}" cannot be run on ${refused.slice(0, 5).join('; ')}: choose other --tasks`,
    )
  const isolation = await resolveLevel(options, found.subject)
  return { subject: found.subject, chosen, settings: planSettings(options, isolation) }
}

/** The level that the plan freezes. A control is a function of ours and starts no program. */
async function resolveLevel(
  { isolation = 'auto' }: PlanOptions,
  { kind }: Plan['subject'],
): Promise<Settings['isolation']> {
  if (isolation !== 'auto') return isolation
  return kind === 'control' ? 'local' : (await findStrongest()).level
}

async function askForWorkflows(options: PlanOptions, suite: BrowserSuite): Promise<Asked> {
  refuseAgentOptions(options)
  const { subject: name, model = null, provider = null } = options
  const subject = await findWorkflowSubject({ name, model, provider }, suite)
  const metered = subject.modelRequested !== null
  refuseUnkeptPins({ ...options, fault: undefined }, { subject, metered })
  const wanted = selectTasks(suite.tasks, options.tasks ?? null)
  const chosen = chooseFaultedTasks(options, wanted)
  const settings = {
    ...planSettings(options, 'local'),
    browser: options.browser ?? ('reused' as const),
  }
  return { subject, chosen, settings }
}

/** Options that mean nothing where a library is measured. */
function refuseAgentOptions({ command, agentFile, isolation }: PlanOptions): void {
  if (command !== undefined || agentFile !== undefined)
    throw new UsageError(
      'a browser suite measures browser libraries: --command and --agent-file go with an exercise suite',
    )
  if (isolation !== undefined && isolation !== 'auto' && isolation !== 'local')
    throw new UsageError(
      `a browser suite runs at --isolation local, since library and browser share this machine: leave --isolation ${isolation} out`,
    )
}

async function tellUsage<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof UnknownSubjectError) throw new UsageError(error.message)
    throw error
  }
}

function planSettings(options: PlanOptions, isolation: Settings['isolation']): Settings {
  return {
    ...DEFAULT_SETTINGS,
    maxSteps: options.maxSteps ?? null,
    maxTokens: options.maxTokens ?? null,
    maxCostMicroUsd: options.maxCost ?? null,
    temperature: options.temperature ?? null,
    timeoutMs: options.timeout * 1000,
    isolation,
    seed: options.seed,
    ...(options.fault !== undefined && { fault: options.fault }),
  }
}

/** A pin that nobody can keep would be a promise in a sealed plan. */
function refuseUnkeptPins(
  options: PlanOptions,
  { subject, metered = false }: Pick<PlannableSubject, 'subject' | 'metered'>,
): void {
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
      `"${subject.name}" does not call a model through the gateway, so ${asked.join(', ')} cannot be enforced: remove ${asked.length === 1 ? 'it' : 'them'}`,
    )
}

async function pickSubject(options: PlanOptions): Promise<PlannableSubject> {
  if (options.command === undefined && options.name !== undefined)
    throw new UsageError('--name requires --command')
  return findSubject({
    name: options.command === undefined ? options.subject : (options.name ?? options.subject),
    command: options.command ?? null,
    version: options.subjectVersion ?? null,
    agentFile: options.agentFile ?? null,
    model: options.model ?? null,
    provider: options.provider ?? null,
  })
}

type AskedFault = { fault?: string | undefined; tasks?: readonly string[] }

/**
 * The tasks into which the plan's fault can be broken. Tasks that were named must all take it; of a whole suite the
 * others are left out, and said so.
 */
function chooseFaultedTasks(
  { fault, tasks }: AskedFault,
  wanted: readonly LoadedWorkflow[],
): LoadedWorkflow[] {
  if (fault === undefined) return [...wanted]
  const kind = browserFaultKindSchema.safeParse(fault)
  if (!kind.success)
    throw new UsageError(
      `--fault: ${unknownName('browser fault', fault, [...BROWSER_FAULT_KINDS])}`,
    )
  const taking = wanted.filter(({ task }) => task.faults[kind.data] !== undefined)
  const others = wanted.filter((task) => !taking.includes(task))
  if (taking.length === 0 || (tasks && others.length > 0)) {
    const [one] = others
    const takes = one ? faultsOf(one.task).join(', ') || 'none' : ''
    throw new UsageError(
      `--fault ${fault} cannot be injected into ${one?.task.taskId}, which supports ${takes}: choose other --tasks`,
    )
  }
  if (others.length > 0)
    complain(
      `${fault} can be injected into ${taking.length} of ${wanted.length} tasks; the others are left out`,
    )
  return taking
}

/** Throws a UsageError for a fault that no gateway knows. */
function refuseUnknownFault(fault: string): void {
  const parsed = parseFault(fault)
  if (!parsed.ok) throw new UsageError(`--fault: ${parsed.problem}`)
}

/** The subject that the options mean: named, or the one of an agent file, or an ad-hoc command; null when they say none. */
export function nameSubject({ subject, agentFile, command }: Partial<PlanOptions>): string | null {
  if (subject !== undefined) return subject
  if (command !== undefined) return 'command'
  return agentFile === undefined ? null : readAgentFile(agentFile).name
}

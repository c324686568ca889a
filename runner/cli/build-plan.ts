import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import {
  completeSettings,
  freezePlan,
  type Plan,
  type Settings,
  type Stop,
} from '#lib/domain/record/index.ts'
import { parseFault } from '../gateway/faults.ts'
import { leftOutLines } from '../harbor/load-harbor-suite.ts'
import { findNeeded } from '../harbor/needed-level.ts'
import { readLibraryFile } from '../libraries/mcp/read-library-file.ts'
import { knownProviders } from '../providers/known-providers.ts'
import { usageError } from '../runner-error.ts'
import { findStrongest } from '../sandbox/isolation/choose-isolation.ts'
import { readAgentFile } from '../subjects/agents/load-agents.ts'
import { resolveSubject } from '../subjects/find-subject.ts'
import type { PlannableSubject } from '../subjects/subject-driver.ts'
import {
  type BrowserSuite,
  chooseAskedTasks,
  type ExerciseSuite,
  type HarborSuite,
  type LoadedSuite,
  type RepositorySuite,
} from '../suites/load-suite.ts'
import { type AgentTask, isExercise, isHarbor, type LoadedTask } from '../suites/task-folder.ts'
import { findWorkflowSubject } from '../workflow/find-workflow-subject.ts'
import { askForArms, refuseArms } from './ask-for-arms.ts'
import { chooseFaultedTasks } from './choose-faulted-tasks.ts'
import { refuseUnkeptPins, withLimits } from './choose-limits.ts'
import type { AskedSettings } from './options.ts'
import { writeError } from './output.ts'
import { readStop, type StopOptions } from './stop-options.ts'

export type PlanOptions = StopOptions & {
  /** Set with `stopWhen` if this plan is one side of a pair. */
  stopPair?: Stop['pair']
  subject: string
  command?: string
  name?: string
  subjectVersion?: string
  agentFile?: string
  libraryFile?: string
  model?: string
  provider?: string
  agentVersion?: string
  providerFile?: string
  tasks?: string[]
  /** Takes only the first of the chosen tasks, in the suite's order. */
  first?: number
  repetitions: number
  arms?: string
  arm?: string[]
  settings: AskedSettings
}

/** The options, resolved on this machine. */
type Understood = Pick<Plan, 'subject' | 'arms'> & {
  chosen: readonly LoadedTask[]
  settings: Settings
  /** Notices that require no change. */
  warnings: readonly string[]
}

/** Freezes a plan from the command line's options; names what the subject does not support. */
export async function buildPlan(
  options: PlanOptions,
  loaded: LoadedSuite,
  now: string,
): Promise<{ plan: Plan; warnings: readonly string[] }> {
  if (loaded.kind === 'harbor') refuseLeftOut(loaded, options.tasks ?? [])
  const { subject, chosen, settings, warnings, arms } =
    loaded.kind === 'browser'
      ? await askForWorkflows(options, loaded, now)
      : await askForExercises(options, loaded, now)
  const { suite } = loaded
  const draft = {
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    tasks: chosen.map(({ task: { taskId, digest, category } }) => ({ taskId, digest, category })),
    subject,
    command: options.command ?? null,
    repetitions: options.repetitions,
    ...(arms && { arms }),
    settings,
    policyVersion: POLICY_VERSION,
  }
  const stop = readStop(options, draft, options.stopPair)
  const plan = freezePlan({ ...draft, ...(stop && { stop }) }, { now })
  const leftOut = loaded.kind === 'harbor' ? leftOutLines(loaded.leftOut) : []
  return { plan, warnings: [...leftOut, ...warnings] }
}

function refuseLeftOut({ tasks, leftOut }: HarborSuite, names: readonly string[]): void {
  const isKnown = (name: string) => tasks.some(({ task }) => task.taskId === name)
  const asked = names.filter((name) => !isKnown(name))
  const lines = leftOutLines(leftOut.filter(({ name }) => asked.includes(name)))
  if (lines[0] !== undefined) throw usageError(lines[0], '--tasks')
}

async function askForExercises(
  options: PlanOptions,
  { tasks, suite }: ExerciseSuite | RepositorySuite | HarborSuite,
  now: string,
): Promise<Understood> {
  const { settings } = options
  const { runnable, leftOut } = leaveOutRefused(tasks, options)
  const chosen = chooseAskedTasks<AgentTask>(runnable, options)
  refuseUnproven(chosen)
  if (settings.browser !== undefined)
    throw usageError('--browser is only for browser suites: remove it', '--browser')
  if (options.libraryFile !== undefined)
    throw usageError('--library-file is only for browser suites: remove it', '--library-file')
  const found = await pickSubject(options)
  refuseUnkeptPins(settings, found)
  refuseUnheard(settings, found.subject)
  if (settings.fault !== undefined) refuseUnknownFault(settings.fault)
  const refused = chosen.flatMap((task) => {
    const reason = found.refuses(task)
    return reason ? [`${task.task.taskId} ${reason}`] : []
  })
  if (refused.length > 0)
    throw usageError(
      `subject "${options.subject}" cannot be run on ${refused.slice(0, 5).join('; ')}: choose other --tasks`,
      '--tasks',
    )
  const isolation = await resolveLevel(settings, found.subject, chosen)
  const limited = withLimits(options, found, { kind: suite.kind, now })
  return {
    subject: found.subject,
    chosen,
    settings: completeSettings({ ...limited.settings, isolation }),
    warnings: [...leftOut, ...found.warnings, ...limited.warnings],
    ...(await askForArms(
      options,
      { subject: found.subject, tasks: chosen },
      {
        checkPins: (own) => refuseUnkeptPins(own, found),
        resolve: (changes) => pickSubject({ ...options, ...changes }),
      },
    )),
  }
}

/** Tasks that no machine can run are refused only if they are named, or if there are no others. */
function leaveOutRefused(
  tasks: readonly AgentTask[],
  { tasks: named }: Pick<PlanOptions, 'tasks'>,
): { runnable: readonly AgentTask[]; leftOut: string[] } {
  const refusals = tasks.flatMap((task) =>
    isHarbor(task) && task.refusal !== null ? [[task, task.refusal] as const] : [],
  )
  if (named !== undefined || refusals.length === tasks.length)
    return { runnable: tasks, leftOut: [] }
  const refused = new Set<AgentTask>(refusals.map(([task]) => task))
  return {
    runnable: tasks.filter((task) => !refused.has(task)),
    leftOut: refusals.map(([{ task }, why]) => `${task.taskId} is left out: it ${why}`),
  }
}

/** A failure on an unproven task says nothing about the agent. */
function refuseUnproven(tasks: readonly AgentTask[]): void {
  const unproven = tasks.flatMap((task) =>
    !isExercise(task) && task.unproven !== null ? [`${task.task.taskId} ${task.unproven}`] : [],
  )
  if (unproven.length > 0)
    throw usageError(`these tasks cannot be run: ${unproven.slice(0, 5).join('; ')}`, '--tasks')
}

async function askForWorkflows(
  options: PlanOptions,
  suite: BrowserSuite,
  now: string,
): Promise<Understood> {
  refuseAgentOptions(options)
  refuseArms(options)
  const { subject: name, model = null, provider = null, libraryFile = null } = options
  const providers = knownProviders(options.providerFile ?? null)
  const subject = await findWorkflowSubject(
    { name, model, provider, providers, libraryFile },
    suite,
  )
  const metered = subject.modelRequested !== null
  const { fault, ...asked } = options.settings
  refuseUnkeptPins(asked, { subject, metered })
  const wanted = chooseAskedTasks(suite.tasks, options)
  const { chosen, warnings } = chooseFaultedTasks({ ...options, fault }, wanted)
  const limited = withLimits(options, { subject, metered }, { kind: 'browser', now })
  const { browser = 'reused', ...settings } = limited.settings
  return {
    subject,
    chosen,
    settings: completeSettings({ ...settings, fault, browser, isolation: 'local' }),
    warnings: [...warnings, ...limited.warnings],
  }
}

/** Refuses text for a prompt where no subject gets a prompt. */
function refuseUnheard(
  { customInstruction }: AskedSettings,
  { kind, name }: Plan['subject'],
): void {
  if (customInstruction === undefined || kind === 'agent') return
  throw usageError(
    `"${name}" is not given a prompt, so --custom-instruction would change nothing: remove it`,
    '--custom-instruction',
  )
}

/** Options that mean nothing where a library is measured. */
function refuseAgentOptions({ command, agentFile, agentVersion, settings }: PlanOptions): void {
  const { isolation, customInstruction, effort, login } = settings
  if (customInstruction !== undefined)
    throw usageError(
      'a browser suite has a fixed prompt: remove --custom-instruction',
      '--custom-instruction',
    )
  const asked = Object.entries({
    '--agent-version': agentVersion,
    '--effort': effort,
    '--login': login,
  })
  const given = asked.filter(([, value]) => value !== undefined).map(([flag]) => flag)
  if (given.length > 0)
    throw usageError(
      `a browser suite measures browser libraries: ${given.join(', ')} requires an agent on an exercise suite`,
      ...given,
    )
  if (command !== undefined || agentFile !== undefined)
    throw usageError(
      'a browser suite measures browser libraries: --command and --agent-file go with an exercise suite',
      ...(command === undefined ? [] : ['--command']),
      ...(agentFile === undefined ? [] : ['--agent-file']),
    )
  if (isolation !== undefined && isolation !== 'auto' && isolation !== 'local')
    throw usageError(
      `a browser suite runs at --isolation local, since library and browser share this machine: remove --isolation ${isolation}`,
      '--isolation',
    )
}

async function pickSubject(options: PlanOptions): Promise<PlannableSubject> {
  if (options.command === undefined && options.name !== undefined)
    throw usageError('--name requires --command', '--name')
  return resolveSubject({
    name: options.command === undefined ? options.subject : (options.name ?? options.subject),
    command: options.command ?? null,
    version: options.subjectVersion ?? null,
    agentFile: options.agentFile ?? null,
    model: options.model ?? null,
    provider: options.provider ?? null,
    agentVersion: options.agentVersion ?? null,
    effort: options.settings.effort ?? null,
    usesLogin: options.settings.login !== undefined,
    tell: writeError,
    providers: knownProviders(options.providerFile ?? null),
  })
}

/** Throws a RunnerError for a fault that no gateway knows. */
function refuseUnknownFault(fault: string): void {
  const parsed = parseFault(fault)
  if (!parsed.ok) throw usageError(`--fault: ${parsed.problem}`, '--fault')
}

/** Returns the subject of the options: a named one, that of an agent file, or an ad-hoc command; null = none. */
export function nameSubject({
  subject,
  agentFile,
  libraryFile,
  command,
}: Partial<PlanOptions>): string | null {
  if (subject !== undefined) return subject
  if (command !== undefined) return 'command'
  if (libraryFile !== undefined) return readLibraryFile(libraryFile).name
  return agentFile === undefined ? null : readAgentFile(agentFile).name
}

/** Returns the level that the plan freezes. A control is a function of Proofboard and starts no program. */
async function resolveLevel(
  { isolation = 'auto' }: AskedSettings,
  { kind }: Plan['subject'],
  chosen: readonly AgentTask[],
): Promise<Settings['isolation']> {
  if (kind === 'control') return isolation === 'auto' ? 'local' : isolation
  const needed = findNeeded(chosen)
  if (isolation === 'auto') return needed?.level ?? (await findStrongest()).level
  const isEnough = needed === null || isolation === 'docker' || isolation === needed.level
  if (isEnough) return isolation
  throw usageError(`${needed.why}: use --isolation ${needed.level}`, '--isolation')
}

import type { Environment, Plan } from '#lib/domain/record/index.ts'
import { completeSettings, type Settings } from '#lib/domain/settings/index.ts'
import { countOf, listNames, pluralForm } from '#lib/domain/text/index.ts'
import { askForArms } from '../cli/ask-for-arms.ts'
import { refuseUnkeptPins, withLimits } from '../cli/choose-limits.ts'
import type { RequestedSettings } from '../cli/options.ts'
import { writeError } from '../cli/output.ts'
import type { PlanOptions } from '../cli/plan-options.ts'
import { refusePlanLimits } from '../engine/declared-limits.ts'
import {
  armsAdapter,
  type EnvironmentAdapter,
  type OpenedEnvironment,
} from '../engine/environment-adapter.ts'
import { parseFault } from '../gateway/faults.ts'
import { knownProviders } from '../providers/known-providers.ts'
import { usageError } from '../runner-error.ts'
import { findStrongest } from '../sandbox/isolation/choose-isolation.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { plannedArms, plannedSubject, resolveSubject } from '../subjects/find-subject.ts'
import type { PlannableSubject, SubjectDriver } from '../subjects/subject-driver.ts'
import { findNeeded } from '../suites/needed-level.ts'
import { chooseAskedTasks } from '../suites/select-tasks.ts'
import type { AgentTask } from '../suites/task-folder.ts'
import type { EnvironmentParts, FrozenParts, LoadedSuite } from './kind.ts'

/** Resolves the parts of a plan for tasks that agents work on. */
export async function freezeForAgents(
  options: PlanOptions,
  { tasks, suite }: LoadedSuite<AgentTask>,
  now: string,
): Promise<FrozenParts> {
  const { settings } = options
  const { runnable, leftOut } = leaveOutRefused(tasks, options)
  const chosen = chooseAskedTasks(runnable, options)
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
      `subject "${options.subject}" cannot be run, because ${refused.slice(0, 5).join('; ')}: choose other --tasks`,
      '--tasks',
    )
  const isolation = await resolveLevel(settings, found.subject, chosen)
  const limited = withLimits(options, found, { kind: suite.kind, now })
  return {
    subject: found.subject,
    chosen,
    settings: completeSettings({ ...limited.settings, isolation }),
    warnings: [...leftOut, ...warnUnproven(chosen), ...found.warnings, ...limited.warnings],
    ...(await askForArms(
      options,
      { subject: found.subject, tasks: chosen, isolation },
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
  const refusals = tasks.flatMap((task) => (task.refusal ? [[task, task.refusal] as const] : []))
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
    task.unproven ? [`${task.task.taskId} ${task.unproven}`] : [],
  )
  if (unproven.length > 0)
    throw usageError(`these tasks cannot be run: ${unproven.slice(0, 5).join('; ')}`, '--tasks')
}

/** Refuses text for a prompt where no subject gets a prompt. */
function refuseUnheard(
  { customInstruction }: RequestedSettings,
  { kind, name }: Plan['subject'],
): void {
  if (customInstruction === undefined || kind === 'agent') return
  throw usageError(
    `"${name}" is not given a prompt, so --custom-instruction would change nothing: remove it`,
    '--custom-instruction',
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
    report: writeError,
    providers: knownProviders(options.providerFile ?? null),
  })
}

/** Throws a RunnerError for a fault that no gateway knows. */
function refuseUnknownFault(fault: string): void {
  const parsed = parseFault(fault)
  if (!parsed.ok) throw usageError(`--fault: ${parsed.problem}`, '--fault')
}

/** Returns the level that the plan freezes. A control is a function of Proofboard and starts no program. */
async function resolveLevel(
  { isolation = 'auto' }: RequestedSettings,
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

/** Returns the sentence about cases that are not proven and what a proof would add, or none. */
function warnUnproven(tasks: readonly Pick<AgentTask, 'task'>[]): string[] {
  const names = tasks.flatMap(({ task }) =>
    'unproven' in task && task.unproven ? [task.taskId] : [],
  )
  if (names.length === 0) return []
  return [
    `${countOf(names.length, 'task is', 'tasks are')} unproven (${listNames(names)}), so no entry with ${pluralForm(names.length, 'it', 'them')} is ranked: solution/solve.sh and "proofboard suite verify" would show that the check accepts good work and refuses work that does nothing`,
  ]
}

/** The adapter of one kind for each driver, and facts about this machine. */
type Opened = { adapterOf: (driver: SubjectDriver) => EnvironmentAdapter } & Partial<
  Pick<Environment, 'verifier' | 'toolchains' | 'certificates'>
>

/**
 * Opens the environment of tasks that agents work on. `judging` is the level at which the tasks' own commands run. Throws
 * before anything runs.
 */
export async function openForAgents(
  plan: Plan,
  { tasks }: LoadedSuite<AgentTask>,
  { isolation, agentFile, verifier: _, libraryFile: __, ...gateway }: EnvironmentParts,
  {
    judging,
    open,
  }: { judging: Isolation['level']; open: (driver: SubjectDriver) => Promise<Opened> },
): Promise<OpenedEnvironment> {
  const arms = await plannedArms(plan, agentFile, gateway)
  const driver = arms?.values().next().value ?? (await plannedSubject(plan, agentFile, gateway))
  const refusal =
    (await driver.findUnreachable?.(isolation)) ?? refusePlanLimits(plan, tasks, judging)
  if (refusal !== null) throw usageError(refusal)
  const { adapterOf, ...facts } = await open(driver)
  const adapter = arms ? armsAdapter(arms, adapterOf) : adapterOf(driver)
  return { adapter, browser: null, libraries: {}, ...facts }
}

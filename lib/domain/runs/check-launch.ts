import { z } from 'zod'
import { EXECUTOR_TITLES, type ExecutorName } from '../executors/index.ts'
import { BROWSER_FAULT_KINDS, type BrowserFaultKind, type Subject } from '../record/index.ts'
import { LIMIT_LIST, settingsSchema } from '../settings/index.ts'
import { runsBrowser, type Suite } from '../tasks/index.ts'
import { present, unknownSentence } from '../text/index.ts'
import { SCRIPTED } from './agent-definition.ts'
import type { LaunchField, LaunchProblem, LaunchRequest } from './launch-fields.ts'

/**
 * Finds conflicting fields of a request, each with a message. Runs in the browser and on the server; the runner checks
 * again when it freezes the plan.
 */
export function checkLaunch(request: LaunchRequest, choices: LaunchChoices): LaunchProblem[] {
  const { suite, subjects } = choices
  const taskProblems = checkTasks(request, choices)
  if (!suite) return taskProblems
  const subject = subjects.find(({ name }) => name === request.subject)
  if (!subject) return [unknownSubject(request, choices), ...taskProblems]
  return [
    ...checkSubject(request, subject),
    ...checkRemote(request, choices),
    ...checkModel(request, subject),
    ...checkPins(request, subject),
    ...checkSettings(request, subject, suite.kind),
    ...taskProblems,
  ]
}

/** Checks the parts that do not need the runner: suite, tasks and fault. */
export function checkTasks(
  request: LaunchRequest,
  { suite, suites }: Pick<LaunchChoices, 'suite' | 'suites'>,
): LaunchProblem[] {
  if (!suite) {
    const known = suites.map(({ suiteId }) => suiteId)
    return [problem('suite', unknownSentence('suite', request.suiteId, known))]
  }
  const isBrowser = runsBrowser(suite.kind)
  return [
    ...checkNames(request, suite.tasks),
    ...(isBrowser ? checkFault(request, suite.tasks) : []),
  ]
}

/**
 * Returns the tasks of a request: the named ones, else those of the category or all, without those that do not support
 * the browser fault.
 */
export function chooseTasks(
  { tasks, category, fault }: LaunchRequest,
  all: readonly TaskChoice[],
): TaskChoice[] {
  if (tasks) return all.filter(({ taskId }) => tasks.includes(taskId))
  const kind = BROWSER_FAULT_KINDS.find((known) => known === fault)
  return all.filter(
    (task) =>
      (category === null || task.category === category) && (!kind || task.faults.includes(kind)),
  )
}

/** A subject with a requested model uses the gateway, which counts and enforces budgets. */
function isMetered({ model }: Pick<LaunchRequest, 'model'>, subject: SubjectChoice) {
  return subject.model !== 'none' && model !== null && subject.unmetered === null
}

function problem(field: LaunchField, message: string): LaunchProblem {
  return { path: field, message }
}

function unknownSubject({ subject }: LaunchRequest, { subjects, failure }: LaunchChoices) {
  if (failure !== null) return problem('subject', failure)
  const known = subjects.map(({ name }) => name)
  return problem('subject', unknownSentence('subject on this suite', subject, known))
}

/** A missing program does not matter to runs on other machines. */
function checkSubject(
  { remote }: LaunchRequest,
  { title, missing }: SubjectChoice,
): LaunchProblem[] {
  return missing === null || remote !== null
    ? []
    : [problem('subject', `${title} is not available on this machine: ${missing}`)]
}

function checkRemote({ remote }: LaunchRequest, { executors }: LaunchChoices): LaunchProblem[] {
  if (remote === null || executors.some(({ name }) => name === remote.executor)) return []
  const title = EXECUTOR_TITLES[remote.executor]
  return [problem('on', `${title} is not set up on this server: add it to executors.yaml.`)]
}

function checkModel(
  { model, provider, remote }: LaunchRequest,
  subject: SubjectChoice,
): LaunchProblem[] {
  const { title, providers } = subject
  if (subject.model === 'none') {
    const given = (['model', 'provider'] as const).filter(
      (field) => ({ model, provider })[field] !== null,
    )
    return given.map((field) =>
      problem(field, `${title} does not use a ${field}. Leave this empty.`),
    )
  }
  if (model === null) {
    if (subject.model === 'possible' && provider === null) return []
    return [problem('model', `${title} needs a model. Enter the model id of the provider.`)]
  }
  if (provider === null || provider === SCRIPTED || providers === null) return []
  const chosen = providers.find(({ name }) => name === provider)
  if (!chosen) {
    const known = providers.map(({ name }) => name)
    return [problem('provider', unknownSentence(`provider of ${subject.name}`, provider, known))]
  }
  // Other machines have their own keys.
  if (chosen.missingKeys === null || remote !== null) return []
  const keys = chosen.missingKeys.join(' or ')
  return [problem('provider', `${keys} is not set for the worker. Set it and restart the server.`)]
}

function checkPins(request: LaunchRequest, subject: SubjectChoice): LaunchProblem[] {
  if (isMetered(request, subject)) return []
  const { pins, spendCapMicroUsd, fault } = request
  const isBrowserFault = BROWSER_FAULT_KINDS.some((kind) => kind === fault)
  const limits = LIMIT_LIST.filter(({ needsGateway }) => needsGateway).map(({ key, field }) => [
    field,
    pins[key] === 'provider-fixed' ? null : (pins[key] ?? null),
  ])
  const given: Partial<Record<LaunchField, unknown>> = {
    ...Object.fromEntries(limits),
    cap: spendCapMicroUsd,
    fault: isBrowserFault ? null : fault,
  }
  const why = subject.unmetered ?? `${subject.title} does not call a model through the gateway.`
  return (Object.keys(given) as LaunchField[])
    .filter((field) => given[field] !== null)
    .map((field) => problem(field, `${why} This limit cannot be enforced. Leave it empty.`))
}

function checkSettings(
  { isolation, isCold, agentVersion, instruction, arms }: LaunchRequest,
  subject: SubjectChoice,
  kind: Suite['kind'],
): LaunchProblem[] {
  const problems: LaunchProblem[] = []
  const isSandboxed = isolation === 'bubblewrap' || isolation === 'docker'
  if (isSandboxed && runsBrowser(kind))
    problems.push(problem('isolation', 'Browser suites support only auto isolation. Choose Auto.'))
  else if (isSandboxed && subject.kind === 'control')
    problems.push(
      problem('isolation', 'Controls run inside the harness and need no sandbox. Choose Auto.'),
    )
  return [
    ...problems,
    ...checkAgentFields({ isCold, agentVersion, instruction, arms }, subject, kind),
  ]
}

function checkAgentFields(
  {
    isCold,
    agentVersion,
    instruction,
    arms,
  }: Pick<LaunchRequest, 'isCold' | 'agentVersion' | 'instruction' | 'arms'>,
  subject: SubjectChoice,
  kind: Suite['kind'],
): LaunchProblem[] {
  const isAgent = subject.kind === 'agent'
  const isOnCode = isAgent && !runsBrowser(kind)
  return present([
    agentVersion !== null &&
      !isAgent &&
      problem('agentVersion', 'Only agents have versions to choose. Leave it empty.'),
    instruction !== null &&
      !isOnCode &&
      problem('instruction', 'Only agents on exercise suites get a prompt. Leave it empty.'),
    arms !== null &&
      !isOnCode &&
      problem('arms', 'Arms need an agent and an exercise suite. Leave it empty.'),
    isCold &&
      !runsBrowser(kind) &&
      problem('browser', 'Only browser suites have a browser setting. Leave it empty.'),
  ])
}

function checkNames(
  { tasks, category }: LaunchRequest,
  all: readonly TaskChoice[],
): LaunchProblem[] {
  if (tasks && category !== null)
    return [problem('tasks', 'Choose a category or enter task names, not both.')]
  const names = all.map(({ taskId }) => taskId)
  const unknown = tasks?.find((taskId) => !names.includes(taskId))
  if (unknown !== undefined) return [problem('tasks', unknownSentence('task', unknown, names))]
  const categories = [...new Set(all.map((task) => task.category))]
  if (category === null || categories.includes(category)) return []
  return [problem('category', unknownSentence('category', category, categories))]
}

/** Named tasks must all support the fault; of a category or suite, those that do are used. */
function checkFault(request: LaunchRequest, all: readonly TaskChoice[]): LaunchProblem[] {
  const { fault } = request
  if (fault === null) return []
  const kind = BROWSER_FAULT_KINDS.find((known) => known === fault)
  if (!kind)
    return [problem('fault', unknownSentence('browser fault', fault, [...BROWSER_FAULT_KINDS]))]
  const chosen = chooseTasks(request, all)
  if (chosen.length === 0)
    return [
      problem(
        'fault',
        `${fault} cannot be injected into any of these tasks. Choose another fault.`,
      ),
    ]
  const other = chosen.find(({ faults }) => !faults.includes(kind))
  if (!other) return []
  return [problem('fault', `${fault} cannot be injected into ${other.taskId}. Choose other tasks.`)]
}

/** A provider that can serve a subject's model. */
type ProviderChoice = {
  name: string
  /** Variables of which one must be set where the worker runs; null = nothing is missing. */
  missingKeys: string[] | null
}

/** A subject as offered by the form; one that cannot be started here is shown with the reason. */
export type SubjectChoice = {
  kind: Subject['kind']
  name: string
  title: string
  /** Installed version; null = not applicable or not installed. */
  version: string | null
  /** Missing requirement; null = none. */
  missing: string | null
  /** Use of a model. */
  model: 'needed' | 'possible' | 'none'
  /** Null = all providers that the runner knows. */
  providers: ProviderChoice[] | null
  /** Why its usage cannot be counted even with a model; null = the gateway counts it. */
  unmetered: string | null
}

export type TaskChoice = { taskId: string; category: string; faults: BrowserFaultKind[] }

/** Default isolation level of agents on this machine, with the runner's reason. */
export const defaultIsolationSchema = z.object({
  level: settingsSchema.shape.isolation,
  line: z.string().max(2000),
})
export type DefaultIsolation = z.infer<typeof defaultIsolationSchema>

/** Everything that the form is validated against: the chosen suite and the subjects that it supports. */
export type LaunchChoices = {
  suites: { suiteId: string; title: string }[]
  /** Null = the suite is unknown here. */
  suite: { suiteId: string; kind: Suite['kind']; tasks: TaskChoice[] } | null
  subjects: SubjectChoice[]
  /** Models requested by past runs, without duplicates. */
  models: string[]
  /** Null = unknown, or the suite's subjects start no program that needs a sandbox. */
  isolation: DefaultIsolation | null
  /** Configured engines on other machines. */
  executors: { name: ExecutorName; title: string }[]
  /** Why the runner could not list the subjects; null = it did. */
  failure: string | null
}

const EXERCISE_CONTROLS = ['reference', 'nop', 'wrong', 'flaky', 'cheater']
const WORKFLOW_CONTROLS = ['reference', 'nop', 'wrong', 'cheater']

/** Lists the subjects that test the harness itself; they have no requirements. */
export function listControls(kind: Suite['kind']): SubjectChoice[] {
  const names = runsBrowser(kind) ? WORKFLOW_CONTROLS : EXERCISE_CONTROLS
  return names.map((name) => ({
    kind: 'control',
    name,
    title: name,
    version: null,
    missing: null,
    model: 'none',
    providers: [],
    unmetered: null,
  }))
}

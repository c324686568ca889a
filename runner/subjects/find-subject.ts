import { type Arm, type Entry, entryOf, type Plan } from '#lib/domain/record/index.ts'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import { unknownName } from '#lib/domain/text/index.ts'
import type { ModelAccess } from '../gateway/model-access.ts'
import { type KnownProviders, knownProviders } from '../providers/known-providers.ts'
import { subjectError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { chooseAgent, isMetered } from './agents/choose-agent.ts'
import { commandAgent } from './agents/command-agent.ts'
import { versionWarnings } from './agents/inspect-agent.ts'
import { listAgentNames, pickAgent } from './agents/load-agents.ts'
import { plannedAgent } from './agents/planned-agent.ts'
import { cheater, flaky, nop, reference, wrong } from './controls.ts'
import type { PlannableSubject, SubjectDriver } from './subject-driver.ts'

const CONTROLS: readonly SubjectDriver[] = [reference, nop, wrong, flaky, cheater]

/** Returns whether a name is that of a control, which is a function of the harness and not a program. */
export function isControl(name: string): boolean {
  return CONTROLS.some(({ subject }) => subject.name === name)
}

/** Lists the subjects that can be measured here, without the user's own agents. */
export function listSubjectNames(): string[] {
  return [...CONTROLS.map(({ subject }) => subject.name), 'command', ...listAgentNames()]
}

export type SubjectQuery = {
  name: string
  /** The shell command of an ad-hoc agent, and the version stated by its caller. */
  command: string | null
  version: string | null
  /** An agent's own definition, model and provider. */
  agentFile: string | null
  model: string | null
  provider: string | null
  /** An agent's exact version, its effort and its subscription; absent = not requested. */
  agentVersion?: string | null
  effort?: string | null
  usesLogin?: boolean
  /** Called with the progress of an installation. */
  report?: (line: string) => void
  /** Absent = those of this environment. */
  providers?: KnownProviders
}

/** Returns the subject for a query; an agent is asked for its version. Throws a RunnerError. */
export async function resolveSubject(query: SubjectQuery): Promise<PlannableSubject> {
  const { name, command, version, agentFile } = query
  const isAgent = command === null && (agentFile !== null || listAgentNames().includes(name))
  if (isAgent) return findAgentSubject(query)
  // A mistyped agent gets its own sentence, not the one for a control with a model.
  const driver = command === null ? findControl(name) : commandAgent({ name, command, version })
  if (agentFile !== null || query.model !== null || query.provider !== null)
    throw subjectError(
      `"${name}" does not support --model, --provider and --agent-file: they need an agent, as in --subject claude`,
      '--subject',
    )
  if (query.agentVersion || query.effort || query.usesLogin)
    throw subjectError(
      `"${name}" does not support --agent-version, --effort and --login: they need an agent, as in --subject claude`,
      '--subject',
    )
  return { ...driver, warnings: [] }
}

async function findAgentSubject(query: SubjectQuery): Promise<PlannableSubject> {
  const { agentVersion = null, effort = null, usesLogin = false, report = () => {} } = query
  const definition = pickAgent(query.name, query.agentFile)
  const { providers: known = knownProviders(null) } = query
  refuseUnknownEffort(definition, effort)
  const request = { ...query, agentVersion, usesLogin }
  const subject = await chooseAgent(definition, request, { known, env: RUNNER_ENV, report })
  return {
    subject,
    refuses: () => null,
    metered: isMetered(definition, usesLogin),
    warnings: versionWarnings(definition, subject.version),
  }
}

/** Throws a RunnerError for a level that the agent does not have: it would run as if none had been requested. */
function refuseUnknownEffort({ name, effort: known }: AgentDefinition, effort: string | null) {
  if (effort === null) return
  if (!known) throw subjectError(`${name} has no setting for effort: remove --effort`, '--effort')
  const levels = Object.keys(known.levels)
  if (!levels.includes(effort))
    throw subjectError(unknownName(`effort of ${name}`, effort, levels), '--effort')
}

function findControl(name: string): SubjectDriver {
  const control = CONTROLS.find(({ subject }) => subject.name === name)
  if (control) return control
  if (name === 'command')
    throw subjectError('subject "command" needs --command "<shell command>"', '--subject')
  throw subjectError(unknownName('subject', name, listSubjectNames()), '--subject')
}

/** One entry of a plan; without an arm it is the plan's only one. */
type PlannedEntry = Entry<Plan['settings']> & { arm?: Arm; command: string | null }

/** Returns the driver that an entry of a frozen plan names. Throws a RunnerError before anything runs. */
export async function plannedSubject(
  { subject, settings, arm, command }: PlannedEntry,
  agentFile: string | null,
  access: ModelAccess,
): Promise<SubjectDriver> {
  const { name, version, kind } = subject
  if (command !== null) return commandAgent({ name, command, version, arm })
  if (kind === 'control') return findControl(name)
  if (agentFile === null && !listAgentNames().includes(name))
    throw subjectError(
      `the plan names the agent "${name}", which has its own file: add --agent-file`,
    )
  const definition = pickAgent(name, agentFile)
  return plannedAgent({ subject, settings, arm }, definition, RUNNER_ENV, access)
}

/** Returns the drivers of a plan's arms, by name; null = it has none. Throws a RunnerError before anything runs. */
export async function plannedArms(
  plan: Plan,
  agentFile: string | null,
  access: ModelAccess,
): Promise<Map<string, SubjectDriver> | null> {
  if (plan.arms === undefined) return null
  const drivers = new Map<string, SubjectDriver>()
  for (const arm of plan.arms) {
    const entry = entryOf<Plan['settings']>(plan, arm.name)
    if (entry === null) continue
    const { command } = plan
    drivers.set(arm.name, await plannedSubject({ ...entry, arm, command }, agentFile, access))
  }
  return drivers
}

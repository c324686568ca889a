import type { Plan } from '#lib/domain/record/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import { freezeArms } from '../arms/freeze-arms.ts'
import { type ProjectArms, type RequestedArm, readArms, refuseArmPaths } from '../arms/read-arms.ts'
import { usageError } from '../runner-error.ts'
import { pickAgent } from '../subjects/agents/load-agents.ts'
import type { PlannableSubject } from '../subjects/subject-driver.ts'
import type { AgentTask } from '../suites/task-folder.ts'
import type { RequestedSettings } from './options.ts'

/** The options of a plan that define arms. */
export type ArmOptions = {
  /** A file of arms, or the overlays of single ones. */
  arms?: string
  arm?: string[]
  /** Files of `arms` by a path are refused. */
  armsAsText?: boolean
  /** Arms of the project file, if neither option was given. */
  projectArms?: ProjectArms
  command?: string
  agentFile?: string
  settings: RequestedSettings
}

type Ask = {
  /** Rejects settings that cannot be enforced. */
  checkPins: (settings: RequestedSettings) => void
  /** Resolves the subject for these options instead. */
  resolve: (changes: {
    agentVersion?: string
    settings?: RequestedSettings
  }) => Promise<PlannableSubject>
}

/** Returns the requested arms of a resolved subject; nothing if none were requested. */
export async function askForArms(
  options: ArmOptions,
  found: Pick<Plan, 'subject'> & { tasks: readonly AgentTask[]; isolation: Settings['isolation'] },
  { checkPins, resolve }: Ask,
): Promise<Pick<Plan, 'arms'>> {
  if (options.arms !== undefined && options.armsAsText) refuseArmPaths(options.arms)
  const request = readArms(options.arms, options.arm, options.projectArms)
  if (request === undefined) return {}
  if (found.isolation === 'docker' && found.tasks.some(({ forAgents }) => forAgents.hasOwnImage))
    refuseInContainers(request)
  const { kind, name } = found.subject
  const isDefined = kind === 'agent' && options.command === undefined
  const arms = await freezeArms(request, {
    ...found,
    definition: isDefined ? pickAgent(name, options.agentFile ?? null) : null,
    checkSettings: async (own) => {
      checkPins(own)
      if (own.effort !== undefined) await resolve({ settings: { ...options.settings, ...own } })
    },
    versionOf: async (agentVersion) => (await resolve({ agentVersion })).subject.version,
  })
  return { arms }
}

/** The whole file system of a container is judged, so nothing may be put into it. */
function refuseInContainers(arms: readonly RequestedArm[]): void {
  const filled = arms.find(({ files, skill }) => files.length > 0 || skill !== undefined)
  if (filled)
    throw usageError(
      `the files of arm "${filled.name}" cannot be put into containers of these tasks: use --isolation bubblewrap`,
      '--isolation',
    )
}

/** Rejects arms for a plan that can have none. */
export function refuseArms({
  arms,
  arm,
  projectArms,
}: Pick<ArmOptions, 'arms' | 'arm' | 'projectArms'>): void {
  if (arms === undefined && arm === undefined && projectArms === undefined) return
  const flag = arm === undefined ? '--arms' : '--arm'
  throw usageError(
    `a browser suite measures browser libraries: ${flag} requires an agent on an exercise suite`,
    flag,
  )
}

import { type Arm, digestArm, listArmParts, type Plan } from '#lib/domain/record/index.ts'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import { listNames } from '#lib/domain/text/index.ts'
import { usageError } from '../runner-error.ts'
import { findMcpProgram } from '../subjects/agents/mcp-servers.ts'
import type { AgentTask } from '../suites/task-folder.ts'
import { type AnswerFinder, answerFinder, listArmTexts } from '../verify/exercise/find-answers.ts'
import { armError, type RequestedArm } from './read-arms.ts'
import { placeSkill } from './skill.ts'

type ArmContext = {
  subject: Plan['subject']
  /** Null for a command, which has no definition. */
  definition: AgentDefinition | null
  tasks: readonly AgentTask[]
  /** Rejects settings that this subject does not support. */
  checkSettings: (settings: NonNullable<Arm['settings']>) => Promise<void>
  /** The agent's name of the requested version; throws if it is not available. */
  versionOf: (agentVersion: string) => Promise<string | null>
}

/** Returns the checked arms that a plan freezes. Throws a one-sentence RunnerError. */
export async function freezeArms(
  requested: readonly RequestedArm[],
  around: ArmContext,
): Promise<Arm[]> {
  const { subject } = around
  if (subject.kind !== 'agent')
    throw usageError(
      `"${subject.name}" is not an agent: arms need an agent, as in --subject claude`,
      '--arms',
    )
  const arms = requested.map((arm) => withDigest(arm, around.definition))
  refuseTwins(arms)
  const findAnswer = answerFinder(around.tasks)
  const frozen: Arm[] = []
  for (const arm of arms) {
    refuseUnfit(arm, { ...around, findAnswer })
    if (arm.settings) await around.checkSettings(arm.settings)
    const version = arm.agentVersion && (await around.versionOf(arm.agentVersion))
    frozen.push({ ...arm, ...(version ? { version } : {}) })
  }
  return frozen
}

function withDigest({ skill, ...arm }: RequestedArm, definition: AgentDefinition | null): Arm {
  const placed = skill === undefined ? [] : placeSkill(skill.name, skill.files, definition)
  const twice = placed.find(({ path }) => arm.files.some((file) => file.path === path))
  if (twice !== undefined)
    throw armError(arm.name, `its files and its skill both put in ${twice.path}: remove one`)
  const files = [...arm.files, ...placed].sort((a, b) => (a.path < b.path ? -1 : 1))
  return { ...arm, files, digest: digestArm({ ...arm, files }) }
}

/** Rejects two arms that could differ only by chance. */
function refuseTwins(arms: readonly Arm[]): void {
  for (const arm of arms) {
    const alike = arms.filter(({ digest }) => digest === arm.digest)
    if (alike.length < 2) continue
    const names = listNames(alike.map(({ name }) => `"${name}"`))
    const what = listArmParts(arm).length === 0 ? 'the same content, nothing' : 'the same content'
    throw usageError(`the arms ${names} put in ${what}: change or remove one`, '--arms')
  }
}

function refuseUnfit(
  arm: Arm,
  { definition, tasks, subject, findAnswer }: ArmContext & { findAnswer: AnswerFinder },
): void {
  for (const task of tasks) {
    const reason = task.forAgents.refuseOverlay(arm.files, task)
    if (reason !== null) throw armError(arm.name, `it may not put in ${reason}`)
  }
  const result = findAnswer(listArmTexts(arm))
  if (result !== null) throw armError(arm.name, `${result}: remove it`)
  if (arm.mcpServers.length === 0) return
  if (!definition?.mcp)
    throw armError(
      arm.name,
      `the definition of ${subject.name} has no "mcp" section: remove mcpServers from the arm`,
    )
  for (const server of arm.mcpServers) {
    const problem = findMcpProgram(server, arm).problem
    if (problem !== null) throw armError(arm.name, problem)
  }
}

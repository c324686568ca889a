import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import { freezePlan, type Plan } from '#lib/domain/record/index.ts'
import type { LoadedSuite } from '../kinds/kind.ts'
import { readLibraryFile } from '../libraries/mcp/read-library-file.ts'
import { usageError } from '../runner-error.ts'
import { readAgentFile } from '../subjects/agents/load-agents.ts'
import { leftOutLines } from '../suites/left-out.ts'
import type { PlanOptions } from './plan-options.ts'
import { readStop } from './stop-options.ts'

/** Freezes a plan from the command line's options; names what the subject does not support. */
export async function buildPlan(
  options: PlanOptions,
  loaded: LoadedSuite,
  now: string,
): Promise<{ plan: Plan; warnings: readonly string[] }> {
  refuseLeftOut(loaded, options.tasks ?? [])
  const { kind, suite } = loaded
  const parts = await kind.freeze(options, loaded, now)
  const { subject, chosen, settings, warnings, arms, escrow } = parts
  if (options.escrow !== undefined && escrow === undefined)
    throw usageError('--escrow is for suites of tasks in Harbor’s format', '--escrow')
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
    ...(escrow && { escrow }),
  }
  const stop = readStop(options, draft, options.stopPair)
  const plan = freezePlan({ ...draft, ...(stop && { stop }) }, { now })
  return { plan, warnings: [...leftOutLines(loaded.leftOut), ...warnings] }
}

function refuseLeftOut({ tasks, leftOut }: LoadedSuite, names: readonly string[]): void {
  const isKnown = (name: string) => tasks.some(({ task }) => task.taskId === name)
  const requested = names.filter((name) => !isKnown(name))
  const lines = leftOutLines(leftOut.filter(({ name }) => requested.includes(name)))
  if (lines[0] !== undefined) throw usageError(lines[0], '--tasks')
}

/** Returns the subject of the options: a named one, that of an agent file, or an ad-hoc command; null = none. */
export function nameSubject({
  subject,
  agentFile,
  libraryFile,
  command,
  escrow,
}: Partial<PlanOptions>): string | null {
  if (escrow !== undefined) return 'harbor'
  if (subject !== undefined) return subject
  if (command !== undefined) return 'command'
  if (libraryFile !== undefined) return readLibraryFile(libraryFile).name
  return agentFile === undefined ? null : readAgentFile(agentFile).name
}

import type { Environment, Plan } from '#lib/domain/record/index.ts'
import { refusePlanLimits } from '../engine/declared-limits.ts'
import {
  armsAdapter,
  type EnvironmentAdapter,
  type OpenedEnvironment,
} from '../engine/environment-adapter.ts'
import { usageError } from '../runner-error.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { plannedArms, plannedSubject } from '../subjects/find-subject.ts'
import type { SubjectDriver } from '../subjects/subject-driver.ts'
import type { AgentTask } from '../suites/task-folder.ts'
import type { EnvironmentParts, LoadedSuite } from './kind.ts'

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

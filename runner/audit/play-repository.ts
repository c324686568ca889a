import { ReferenceChecks } from '../engine/reference-checks.ts'
import { repositoryAdapter } from '../kinds/repository/repository-adapter.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { local } from '../sandbox/isolation/local.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import type { RepositoryAttack } from './attacks/repository.ts'
import type { Observation } from './classify.ts'
import { type AuditContext, playPlanted } from './play-solution.ts'

// Sufficient for the tests of a task, and short enough for an attack that runs into the limit.
const SHORT_MS = 20_000

/** Runs one attack on these tasks through the whole pipeline; leaves out tasks that it does not apply to. */
export async function playRepository(
  attack: RepositoryAttack,
  tasks: readonly LoadedRepository[],
  stage: AuditContext & { judging: Isolation; cache: string },
): Promise<Map<string, Observation>> {
  const { judging, cache } = stage
  const played = tasks.map((task) => (attack.waits ? hurried(task) : task))
  const parts = { isolation: local, judging, cache, checks: new ReferenceChecks() }
  return playPlanted(attack, played, stage, {
    plant: (task, workspace) => attack.plant(task, workspace),
    adapterOf: (driver) => repositoryAdapter(driver, parts),
  })
}

function hurried(task: LoadedRepository): LoadedRepository {
  const { verify } = task.task
  const timeoutMs = Math.min(SHORT_MS, verify.timeoutMs)
  return { ...task, task: { ...task.task, verify: { ...verify, timeoutMs } } }
}

import { ReferenceChecks } from '../engine/reference-checks.ts'
import { repositoryAdapter } from '../kinds/repository/repository-adapter.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { local } from '../sandbox/isolation/local.ts'
import { controlSubject } from '../subjects/controls.ts'
import { DONE, type SubjectDriver } from '../subjects/subject-driver.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import type { RepositoryAttack } from './attacks/repository.ts'
import { classifySolution, type Observation } from './classify.ts'
import { type AuditContext, runAuditPlan } from './play-solution.ts'

// Sufficient for the tests of a task, and short enough for an attack that runs into the limit.
const SHORT_MS = 20_000

const SUBJECT = controlSubject('audit')

/** Runs one attack on these tasks through the whole pipeline; leaves out tasks that it does not apply to. */
export async function playRepository(
  attack: RepositoryAttack,
  tasks: readonly LoadedRepository[],
  stage: AuditContext & { judging: Isolation; cache: string },
): Promise<Map<string, Observation>> {
  const { judging, cache } = stage
  const planted = new Set<string>()
  const played = tasks.map((task) => (attack.waits ? hurried(task) : task))
  const driver: SubjectDriver = {
    subject: SUBJECT,
    mode: 'scaffold',
    refuses: () => null,
    act: async ({ task: { task }, workspace, log }) => {
      const own = played.find((one) => one.task.taskId === task.taskId)
      if (own && (await attack.plant(own, workspace))) planted.add(task.taskId)
      log.write('audit: an attack was left in the workspace\n')
      return DONE
    },
  }
  const adapter = repositoryAdapter(driver, {
    isolation: local,
    judging,
    cache,
    checks: new ReferenceChecks(),
  })
  const attempts = await runAuditPlan(
    { name: attack.name, adapter, subject: SUBJECT, played },
    stage,
  )
  return new Map(
    tasks
      .map(({ task }) => task.taskId)
      .filter((taskId) => planted.has(taskId))
      .map((taskId) => [taskId, classifySolution(attack, attempts.get(taskId) ?? [])]),
  )
}

function hurried(task: LoadedRepository): LoadedRepository {
  const { verify } = task.task
  const timeoutMs = Math.min(SHORT_MS, verify.timeoutMs)
  return { ...task, task: { ...task.task, verify: { ...verify, timeoutMs } } }
}

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ReferenceChecks } from '../engine/reference-checks.ts'
import type { LoadedHarbor } from '../harbor/harbor-folder.ts'
import { openPlace } from '../harbor/open-place.ts'
import { harborAdapter } from '../kinds/harbor/harbor-adapter.ts'
import type { Change } from '../repository/overlay.ts'
import { local } from '../sandbox/isolation/local.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { controlSubject } from '../subjects/controls.ts'
import { DONE, type SubjectDriver } from '../subjects/subject-driver.ts'
import type { HarborAttack } from './attacks/harbor.ts'
import { classifySolution, type Observation } from './classify.ts'
import { type AuditContext, runAuditPlan } from './play-solution.ts'

const SUBJECT = controlSubject('audit')
const MAX_LOG_BYTES = 1 << 20

/**
 * Runs one attack on these tasks through the whole pipeline. Leaves out tasks that it does not apply to, and tasks with
 * an image, whose files are not on this machine.
 */
export async function playHarbor(
  attack: HarborAttack,
  tasks: readonly LoadedHarbor[],
  stage: AuditContext,
): Promise<Map<string, Observation>> {
  const played = tasks.filter(({ task }) => task.place.kind === 'files')
  const planted = new Set<string>()
  const driver: SubjectDriver = {
    subject: SUBJECT,
    mode: 'scaffold',
    refuses: () => null,
    act: async ({ task: { task }, workspace, log }) => {
      const own = played.find((one) => one.task.taskId === task.taskId)
      if (own === undefined) return DONE
      const sources = await findSources(own, stage)
      if (await attack.plant(own, { workspace, sources })) planted.add(task.taskId)
      log.write('audit: an attack was left in the workspace\n')
      return DONE
    },
  }
  if (played.length === 0) return new Map()
  const attempts = await runAuditPlan(
    {
      name: attack.name,
      adapter: harborAdapter(driver, { isolation: local, checks: new ReferenceChecks() }),
      subject: SUBJECT,
      played,
    },
    stage,
  )
  return new Map(
    [...planted].map((taskId) => [taskId, classifySolution(attack, attempts.get(taskId) ?? [])]),
  )
}

/** Runs the reference and returns the files that it writes. */
async function findSources(task: LoadedHarbor, stage: AuditContext): Promise<readonly Change[]> {
  if (task.solution === null) return []
  const temporary = join(stage.folder, 'sources')
  await mkdir(temporary, { recursive: true })
  const settings = { temporary, runMark: 'audit', signal: stage.signal }
  const place = await openPlace(task, settings, { asked: null, name: null })
  const log = new CappedLog(join(place.folder, 'solve.log'), MAX_LOG_BYTES)
  try {
    await place.solve(log)
    return (await place.take([])).changes
  } finally {
    log.close()
    await place.leave()
  }
}

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ReferenceChecks } from '../engine/reference-checks.ts'
import type { LoadedHarbor } from '../harbor/harbor-folder.ts'
import { openPlace } from '../harbor/open-place.ts'
import { harborAdapter } from '../kinds/harbor/harbor-adapter.ts'
import type { Change } from '../repository/overlay.ts'
import { local } from '../sandbox/isolation/local.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import type { HarborAttack } from './attacks/harbor.ts'
import type { Observation } from './classify.ts'
import { type AuditContext, playPlanted } from './play-solution.ts'

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
  const parts = { isolation: local, checks: new ReferenceChecks() }
  return playPlanted(attack, played, stage, {
    plant: async (task, workspace) =>
      attack.plant(task, { workspace, sources: await findSources(task, stage) }),
    adapterOf: (driver) => harborAdapter(driver, parts),
  })
}

/** Runs the reference and returns the files that it writes. */
async function findSources(task: LoadedHarbor, stage: AuditContext): Promise<readonly Change[]> {
  if (task.solution === null) return []
  const temporary = join(stage.folder, 'sources')
  await mkdir(temporary, { recursive: true })
  const settings = { temporary, runMark: 'audit', signal: stage.signal }
  const place = await openPlace(task, settings, { requested: null, name: null })
  const log = new CappedLog(join(place.folder, 'solve.log'), MAX_LOG_BYTES)
  try {
    await place.solve(log)
    return (await place.take([])).changes
  } finally {
    log.close()
    await place.leave()
  }
}

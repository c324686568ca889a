import { join } from 'node:path'
import { digestJson } from '#lib/domain/digest/index.ts'
import { firstFailure } from '../engine/describe-attempt.ts'
import type { ReferenceCheck } from '../engine/reference-checks.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import { judgeHarbor } from './judge-harbor.ts'
import { workThroughSteps } from './judge-steps.ts'
import { openPlace, type PlaceSettings } from './open-place.ts'
import type { HarborPlace } from './place.ts'

const MAX_LOG_BYTES = 1 << 20

/** Checks a Harbor task with its own `solve.sh`, in a separate environment; null = the task has none. */
export async function referenceCheck(
  loaded: LoadedHarbor,
  settings: PlaceSettings,
  requested: Isolation | null,
): Promise<ReferenceCheck | null> {
  const { solution, inputs, task } = loaded
  if (solution === null) return null
  const record = requested === null ? null : await requested.record()
  const judge = () => judgeReference(loaded, settings, requested)
  return { taskId: task.taskId, key: digestJson({ inputs, record }), judge }
}

async function judgeReference(
  loaded: LoadedHarbor,
  settings: PlaceSettings,
  requested: Isolation | null,
): Promise<string | null> {
  const place = await openPlace(loaded, settings, { requested, name: null })
  try {
    const judged = await workThroughSteps(loaded.task, place, runReference, (_, work) =>
      judgeHarbor(place, work),
    )
    if (typeof judged === 'string') return judged
    const { contract } = judged
    return contract.verdict === 'pass' ? null : firstFailure(contract)
  } finally {
    await place.leave()
  }
}

/** Runs the task's solution. Returns null if it exited, otherwise what stopped it. */
export async function runReference(place: HarborPlace): Promise<string | null> {
  const log = new CappedLog(join(place.folder, 'solve.log'), MAX_LOG_BYTES)
  try {
    const { cause } = await place.solve(log)
    if (cause === 'exited') return null
    return cause === 'timeout'
      ? 'solution/solve.sh did not end in time and was stopped'
      : `solution/solve.sh was stopped (${cause})`
  } finally {
    log.close()
  }
}

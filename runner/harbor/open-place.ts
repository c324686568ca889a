import type { Arm } from '#lib/domain/record/index.ts'
import { refuseTaskLimits } from '../engine/declared-limits.ts'
import { suiteError } from '../runner-error.ts'
import { bubblewrap } from '../sandbox/isolation/bubblewrap.ts'
import { createDocker } from '../sandbox/isolation/docker/docker.ts'
import { docker, lastWord } from '../sandbox/isolation/docker/docker-client.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { openFolderPlace } from './folder-place.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import { openImagePlace } from './image-place.ts'
import type { HarborPlace, HarborSettings } from './place.ts'
import { findServicesRefusal } from './services/find-compose.ts'
import { fillVariables, findMissing } from './variables.ts'

/** Settings that do not depend on the kind of environment. */
export type PlaceSettings = Omit<HarborSettings, 'judging'>

/**
 * Opens the environment of one attempt: the task's image in docker, or its folder in bubblewrap. `asked` is the plan's
 * level. If it is null, or `local` for a control, which starts nothing itself, the level is what the task needs. Throws
 * a RunnerError if that is unavailable.
 */
export async function openPlace(
  loaded: LoadedHarbor,
  settings: PlaceSettings,
  {
    requested,
    name,
    arm,
  }: { requested: Isolation | null; name: string | null; arm?: Arm | undefined },
): Promise<HarborPlace> {
  const { taskId } = loaded.task
  const { variables = {} } = settings
  const problem = loaded.refusal ?? findMissing(loaded.task, variables)
  if (problem !== null) throw suiteError(`${taskId} ${problem}`)
  const missing = await findServicesRefusal(loaded)
  if (missing !== null) throw suiteError(missing)
  const task = fillVariables(loaded, variables)
  const isolation =
    requested === null || requested.level === 'local' ? await findLevel(task) : requested
  const refusal = refuseTaskLimits(task, { agent: null, judging: isolation.level })
  if (refusal !== null) throw suiteError(refusal)
  const whole = { ...settings, judging: isolation }
  return isolation.level === 'docker'
    ? openImagePlace(task, whole, name)
    : openFolderPlace(task, whole, { name, arm })
}

let folders: Promise<string | null> | null = null

/** Chooses the weakest sufficient level: bubblewrap starts fast and needs no image. */
async function findLevel({ task }: LoadedHarbor): Promise<Isolation> {
  const { taskId, place } = task
  if (place.kind === 'files') {
    folders ??= bubblewrap.available()
    const refusal = await folders
    if (refusal === null) return bubblewrap
    const other = await findDockerRefusal()
    if (other === null) return createDocker()
    throw suiteError(`${taskId} needs bubblewrap or docker: ${refusal}; ${other}`)
  }
  const refusal = await findDockerRefusal()
  if (refusal === null) return createDocker()
  throw suiteError(`${taskId} needs docker, because ${place.why}: ${refusal}`)
}

/** Returns why no container can be started here; the subject image is not needed. */
export async function findDockerRefusal(): Promise<string | null> {
  const requested = await docker(['version', '--format', '{{.Server.Version}}'])
  if (requested.code === 0) return null
  return requested.stderr.includes('ENOENT')
    ? 'docker is not installed'
    : `the Docker daemon does not respond ("${lastWord(requested)}")`
}

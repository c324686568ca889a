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

/** What a place needs before it is known which one it is. */
export type PlaceSettings = Omit<HarborSettings, 'judging'>

/**
 * A place for one attempt: the task's image at docker, its folder at bubblewrap. `asked` is the level of a plan; null, or
 * `local` of a control, which starts nothing itself = what the task needs. Throws a RunnerError where that is missing.
 */
export async function openPlace(
  task: LoadedHarbor,
  settings: PlaceSettings,
  { asked, name }: { asked: Isolation | null; name: string | null },
): Promise<HarborPlace> {
  const { taskId } = task.task
  if (task.refusal !== null) throw suiteError(`${taskId} ${task.refusal}`)
  const isolation = asked === null || asked.level === 'local' ? await findLevel(task) : asked
  const refusal = refuseTaskLimits(task, { agent: null, judging: isolation.level })
  if (refusal !== null) throw suiteError(refusal)
  const whole = { ...settings, judging: isolation }
  return isolation.level === 'docker'
    ? openImagePlace(task, whole, name)
    : openFolderPlace(task, whole, name)
}

let folders: Promise<string | null> | null = null

/** The weakest level that can do it: bubblewrap starts in no time and needs no image. */
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

/** Why no container can be started here; the image that agents run in elsewhere is not needed. */
export async function findDockerRefusal(): Promise<string | null> {
  const asked = await docker(['version', '--format', '{{.Server.Version}}'])
  if (asked.code === 0) return null
  return asked.stderr.includes('ENOENT')
    ? 'docker is not installed'
    : `the Docker daemon does not answer ("${lastWord(asked)}")`
}

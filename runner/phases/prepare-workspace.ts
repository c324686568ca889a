import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LoadedExercise } from '../suites/task-folder.ts'
import { makePlaces, type Workspace } from './make-places.ts'

/** Phase 1: a fresh copy of the task's pristine files, a fresh HOME, a fresh temporary folder; `name` fixes where. */
export async function prepareWorkspace(
  task: LoadedExercise,
  parent: string,
  name: string | null = null,
): Promise<Workspace> {
  const place = await makePlaces(parent, name, task.task.taskId)
  const { workspace } = place
  const folders = new Set(
    task.template.map((file) => dirname(file.path)).filter((path) => path !== '.'),
  )
  for (const path of folders) await mkdir(join(workspace, path), { recursive: true })
  await Promise.all(task.template.map((file) => writeFile(join(workspace, file.path), file.bytes)))
  return place
}

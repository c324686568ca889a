import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LoadedExercise } from '../suites/task-folder.ts'

/** The folders of one attempt; all are new and nobody else's. */
export type Workspace = {
  folder: string
  workspace: string
  home: string
  temporary: string
  remove: () => Promise<void>
}

/** Phase 1: a fresh copy of the task's pristine files, a fresh HOME, a fresh temporary folder; `name` fixes where. */
export async function prepareWorkspace(
  task: LoadedExercise,
  parent: string,
  name: string | null = null,
): Promise<Workspace> {
  const folder = name === null ? await mkdtemp(join(parent, 'episode-')) : join(parent, name)
  if (name !== null) await mkdir(folder)
  const workspace = join(folder, task.task.taskId)
  const home = join(folder, 'home')
  const temporary = join(folder, 'tmp')
  await Promise.all([workspace, home, temporary].map((path) => mkdir(path)))
  const folders = new Set(
    task.template.map((file) => dirname(file.path)).filter((path) => path !== '.'),
  )
  for (const path of folders) await mkdir(join(workspace, path), { recursive: true })
  await Promise.all(task.template.map((file) => writeFile(join(workspace, file.path), file.bytes)))
  return { folder, workspace, home, temporary, remove: () => removeTree(folder) }
}

/**
 * A subject may leave folders that nobody may enter: they are opened first. What still cannot be removed is left to
 * the run's guard; an episode is not void because of it.
 */
async function removeTree(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 })
  await remove().catch(() =>
    openFolders(folder)
      .then(remove)
      .catch(() => {}),
  )
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) {
    if (entry.isDirectory()) await openFolders(join(folder, entry.name)).catch(() => {})
  }
}

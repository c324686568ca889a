import { chmod, lstat, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Arm } from '#lib/domain/record/index.ts'
import { machineError } from '../runner-error.ts'
import type { LoadedExercise } from '../suites/task-folder.ts'

/**
 * Returns the task with an arm's overlay in its pristine folder, so that the overlay is restored before the verdict, is
 * in no diff, and is never taken for the agent's work.
 */
export function overlayTask(task: LoadedExercise, arm: Arm | undefined): LoadedExercise {
  if (arm === undefined || arm.files.length === 0) return task
  const files = arm.files.map(({ path, text }) => ({ path, bytes: Buffer.from(text) }))
  return { ...task, template: [...task.template, ...files] }
}

/**
 * Copies an arm's overlay into the workspace of a repository or Harbor task. It may replace a file of the repository, such as its
 * AGENTS.md: judging starts from the original repository. Throws if a path leads through a link or a file.
 */
export async function layOverlay(workspace: string, arm: Arm | undefined): Promise<void> {
  for (const { path, text } of arm?.files ?? []) {
    const place = join(workspace, path)
    await refuseLinks(workspace, path)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, text)
  }
  await markExecutable(workspace, arm)
}

async function refuseLinks(workspace: string, path: string): Promise<void> {
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth++) {
    const below = parts.slice(0, depth).join('/')
    const found = await lstat(join(workspace, below)).catch(() => null)
    if (found && !(depth < parts.length ? found.isDirectory() : found.isFile()))
      throw machineError(`an arm's file cannot take the place of ${below} of the repository`)
  }
}

/** Makes written scripts of the overlay executable. */
export async function markExecutable(workspace: string, arm: Arm | undefined): Promise<void> {
  const scripts = arm?.files.filter(({ executable }) => executable) ?? []
  await Promise.all(scripts.map(({ path }) => chmod(join(workspace, path), 0o755)))
}

import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { Arm } from '#lib/domain/record/index.ts'
import { STEERING } from '../engine/workspace.ts'
import type { LoadedExercise } from '../suites/task-folder.ts'

/**
 * The task as an arm's attempt finds it: the overlay is part of the pristine folder, so it is put back before the verdict,
 * stands in no diff, and is never taken for the agent's work.
 */
export function overlayTask(task: LoadedExercise, arm: Arm | undefined): LoadedExercise {
  if (arm === undefined || arm.files.length === 0) return task
  const files = arm.files.map(({ path, text }) => ({ path, bytes: Buffer.from(text) }))
  return { ...task, template: [...task.template, ...files] }
}

/** Makes scripts of the overlay executable, once they are written. */
export async function markExecutable(workspace: string, arm: Arm | undefined): Promise<void> {
  const scripts = arm?.files.filter(({ executable }) => executable) ?? []
  await Promise.all(scripts.map(({ path }) => chmod(join(workspace, path), 0o755)))
}

// Folders that no workspace is read from.
const HIDDEN = /(^|\/)(\.git|node_modules|\.yarn|\.meta)(\/|$)/i

/** Why this overlay cannot lie in a task's workspace, as the end of a sentence; null = it can. */
export function refuseOverlay({ files }: Pick<Arm, 'files'>, task: LoadedExercise): string | null {
  const own = new Map(task.template.map(({ path }) => [path.toLowerCase(), path]))
  for (const { path } of files) {
    if (STEERING.test(path) || HIDDEN.test(path))
      return `${path}, which steers how work is built and tested`
    const taken = own.get(path.toLowerCase())
    if (taken !== undefined)
      return `${taken} of ${task.task.taskId}, which is ${roleOf(taken, task)}`
    const inside = [...own].find(([known]) => isBelow(known, path) || isBelow(path, known))
    if (inside) return `${path} where ${task.task.taskId} has ${inside[1]}`
  }
  return null
}

function roleOf(path: string, { task: { files } }: LoadedExercise): string {
  if (files.test.includes(path)) return 'a test'
  return files.solution.includes(path) ? 'a solution file' : 'a file of the task'
}

function isBelow(path: string, folder: string): boolean {
  return path.toLowerCase().startsWith(`${folder.toLowerCase()}/`)
}

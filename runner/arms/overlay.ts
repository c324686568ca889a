import { chmod, lstat, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Arm } from '#lib/domain/record/index.ts'
import { STEERING } from '../engine/workspace.ts'
import { permissionsOf } from '../repository/permissions.ts'
import { machineError } from '../runner-error.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import {
  type AgentTask,
  isHarbor,
  isRepository,
  type LoadedExercise,
} from '../suites/task-folder.ts'

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
 * Copies an arm's overlay into the workspace of a repository task. It may replace a file of the repository, such as its
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

// Folders that are never read from a workspace.
const HIDDEN = /(^|\/)(\.git|node_modules|\.yarn|\.meta)(\/|$)/i

/** Explains why this overlay cannot be copied into a task's workspace, as the end of a sentence; null = it can. */
export function refuseOverlay({ files }: Pick<Arm, 'files'>, task: AgentTask): string | null {
  if (isRepository(task)) return refuseOnRepository(files, task)
  if (isHarbor(task))
    return files.length > 0 ? `a file on ${task.task.taskId}, whose whole tree is judged` : null
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

function refuseOnRepository(
  files: Arm['files'],
  { task, tests, reference }: LoadedRepository,
): string | null {
  const asked = changedBy(reference)
  const permissionOf = permissionsOf(task, new Set(tests.map(({ path }) => path)))
  for (const { path } of files) {
    const permission = permissionOf(path)
    if (permission === 'protected' || permission === 'replaced')
      return `${path} of ${task.taskId}, which decides how work is judged`
    if (asked.has(path.toLowerCase()))
      return `${path} of ${task.taskId}, which its solution changes`
    if (STEERING.test(path) || HIDDEN.test(path))
      return `${path}, which steers how work is built and tested`
  }
  return null
}

/** Returns the paths where an overlay would hide the agent's work. */
function changedBy(reference: LoadedRepository['reference']): Set<string> {
  const paths =
    reference?.kind === 'patch'
      ? [...reference.text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path.trim())
      : (reference?.changes.map(({ path }) => path) ?? [])
  return new Set(paths.map((path) => path.toLowerCase()))
}

function roleOf(path: string, { task: { files } }: LoadedExercise): string {
  if (files.test.includes(path)) return 'a test'
  return files.solution.includes(path) ? 'a solution file' : 'a file of the task'
}

function isBelow(path: string, folder: string): boolean {
  return path.toLowerCase().startsWith(`${folder.toLowerCase()}/`)
}

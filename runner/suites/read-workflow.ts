import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { workflowFileSchema, workflowSchema } from '#lib/domain/browser/workflow.ts'
import { type Digest, digestBytes, digestJson } from '#lib/domain/digest.ts'
import { formatIssues, type Problem } from '#lib/domain/problem.ts'
import { readJson } from './read-json.ts'
import { SuiteError } from './suite-error.ts'
import type { LoadedWorkflow } from './task-folder.ts'

export const WORKFLOW_FILE = 'task.json'
export const DRIVER_FILE = 'driver.ts'

/**
 * Reads one browser workflow. Its digest covers what decides a pass and what a subject is told: all of `task.json`, the
 * files at hand and the app (`digestApp`); not the driver, which is part of who plays it. Throws a SuiteError.
 */
export async function readWorkflow(
  folder: string,
  digestApp: (app: string) => Digest | null,
): Promise<LoadedWorkflow> {
  const taskId = basename(folder)
  const fail = (problems: Problem[]): never => {
    throw new SuiteError(`task ${taskId} cannot be loaded`, problems)
  }
  const json = readJson(join(folder, WORKFLOW_FILE))
  const place = `${taskId}/${WORKFLOW_FILE}`
  if (json.error !== null) return fail([{ path: place, message: json.error }])
  const parsed = workflowFileSchema.safeParse(json.value)
  if (!parsed.success) {
    const issues = formatIssues(parsed.error.issues)
    return fail(
      issues.map(({ path, message }) => ({ path: place, message: `${path}: ${message}` })),
    )
  }
  const file = parsed.data
  const missing = [DRIVER_FILE, ...file.files].filter((path) => !existsSync(join(folder, path)))
  const app = digestApp(file.app)
  const problems = missing.map((path) => ({ path: `${taskId}/${path}`, message: 'is missing' }))
  if (app === null) problems.push({ path: place, message: `app: there is no app "${file.app}"` })
  if (problems.length > 0) return fail(problems)
  const files = await Promise.all(
    file.files.map(async (path) => [path, digestBytes(await readFile(join(folder, path)))]),
  )
  const { title: _, difficulty: __, released: ___, ...judged } = file
  const digest = digestJson({ taskId, ...judged, files, app })
  return { folder, task: workflowSchema.parse({ kind: 'browser', taskId, digest, ...file }) }
}

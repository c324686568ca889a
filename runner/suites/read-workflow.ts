import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { type Digest, digestBytes, digestJson } from '#lib/domain/digest/index.ts'
import { workflowFileSchema, workflowSchema } from '#lib/domain/tasks/index.ts'
import { formatIssues, type Problem } from '#lib/domain/text/index.ts'
import { PACKAGE } from '#lib/setup/layout.mjs'
import { findThirdParty } from '../apps/third-party/start-third-party-pool.ts'
import { suiteError } from '../runner-error.ts'
import { PROJECT_ROOT } from './project-paths.ts'
import { readJson } from './read-json.ts'
import type { LoadedWorkflow } from './task-folder.ts'

export const WORKFLOW_FILE = 'task.json'
export const DRIVER_FILE = 'driver.ts'

/**
 * Reads one browser workflow. Its digest covers what decides a pass and what a subject gets: all of `task.json`, the
 * provided files and the app (`digestApp`); not the driver, which belongs to the player. Throws a RunnerError.
 */
export async function readWorkflowTask(
  folder: string,
  digestApp: (app: string) => Digest | null,
): Promise<LoadedWorkflow> {
  const taskId = basename(folder)
  const fail = (problems: Problem[]): never => {
    throw suiteError(`task ${taskId} cannot be loaded`, problems)
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
  const { title: _, difficulty: __, released: ___, family: ____, expect: _____, ...judged } = file
  const digest = digestJson({ taskId, ...judged, files, app })
  return { folder, task: workflowSchema.parse({ kind: 'browser', taskId, digest, ...file }) }
}

/** Code shared by every built-in app. */
const COMMON = ['kit', 'server']

// Tests and images of an app decide nothing.
const BESIDE = /\.(test|int\.test)\.ts$|\.md$/

/**
 * Digest of an app: of its own files and those that all apps share, or of a third-party app's package in its exact
 * version, with its seed. Null = there is no such app.
 */
export function digestApp(appsFolder: string, app: string): Digest | null {
  const own = join(appsFolder, app)
  if (existsSync(own) && !COMMON.includes(app)) {
    const common = COMMON.map((name) => listFiles(join(appsFolder, name)))
    return digestJson({ app: listFiles(own), common })
  }
  const third = findThirdParty(app)
  if (third === null) return null
  const { package: name, seed, adapterVersion } = third
  const version = declaredPackages()[name]
  return version === undefined ? null : digestJson({ package: name, version, seed, adapterVersion })
}

function listFiles(folder: string): [string, Digest][] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !BESIDE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const named = paths.map((path): [string, Digest] => [
    relative(folder, path).replaceAll('\\', '/'),
    digestBytes(readFileSync(path)),
  ])
  return named.sort(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Reads the packages of this clone, or of the one that our package was built from, with the exact versions that
 * package.json pins.
 */
function declaredPackages(): Record<string, string> {
  if (PACKAGE !== null) return PACKAGE.packages
  const text = readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')
  const { dependencies, devDependencies } = JSON.parse(text) as Record<string, object>
  return { ...dependencies, ...devDependencies }
}

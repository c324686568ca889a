import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { slugSchema } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { isRunnerError, suiteError } from '../runner-error.ts'
import type { LeftOutTask } from '../suites/left-out.ts'
import { HARBOR_FILE, type LoadedHarbor } from './harbor-folder.ts'
import { isCase, readCaseFolder } from './read-case.ts'
import { hasEvals, readEvals } from './read-evals.ts'
import { readHarborTask } from './read-harbor-task.ts'

/**
 * True if a folder without a `suite.json` is, or contains, a task in Harbor's format or a case, or is a skill with evals.
 */
export function isHarborSuite(folder: string): boolean {
  if (existsSync(join(folder, 'suite.json'))) return false
  return hasEvals(folder) || listFolders(folder).length > 0
}

/** True if it contains tasks of the previous format: `task.yaml` next to `run-tests.sh` or a compose file. */
export function holdsOlderTasks(folder: string): boolean {
  const isOlder = (path: string) =>
    existsSync(join(path, 'task.yaml')) &&
    ['run-tests.sh', 'docker-compose.yaml'].some((name) => existsSync(join(path, name)))
  return [folder, ...foldersIn(folder)].some(isOlder)
}

export const OLDER_TASKS =
  'its tasks are in the first format of Terminal-Bench (task.yaml), which is not read: migrate them to Harbor’s (task.toml)'

/** Explains a name of Harbor's registry, such as `terminal-bench@2.0` or `org/dataset@1.0`; null = it is not one. */
export function explainRegistryName(path: string): string | null {
  return !existsSync(path) && /^[a-z0-9][\w.-]*@[\w.-]+$/i.test(basename(path))
    ? REGISTRY_NAME
    : null
}

const REGISTRY_NAME =
  'it is a name of Harbor’s registry: import it with "proofboard suite import harbor <name@version> --registry <file or url>", then use the name of the suite'

/**
 * Reads a folder that is a task or contains tasks. Tasks that cannot be read are left out, each with its first mistake.
 * Throws a RunnerError if all are broken.
 */
export function loadHarborTasks(folder: string): {
  tasks: LoadedHarbor[]
  leftOut: LeftOutTask[]
} {
  if (hasEvals(folder)) return readEvals(folder)
  const tasks: LoadedHarbor[] = []
  const leftOut: LeftOutTask[] = []
  for (const path of listFolders(folder)) {
    const read = readOne(path)
    const isTwice = tasks.some(({ task }) => task.taskId === read.task?.task.taskId)
    if (read.task === null) leftOut.push({ name: basename(path), problem: read.problem })
    else if (isTwice)
      leftOut.push({ name: basename(path), problem: { path: basename(path), message: SAME_NAME } })
    else tasks.push(read.task)
  }
  if (tasks.length === 0 && leftOut.length > 0)
    throw suiteError(
      `${countOf(leftOut.length, 'task')} of ${basename(folder)} cannot be loaded`,
      leftOut.map(({ problem }) => problem),
    )
  return { tasks, leftOut }
}

const SAME_NAME = 'has the name of another folder, but for its case'

function readOne(path: string) {
  try {
    return { task: isTask(path) ? readHarborTask(path) : readCaseFolder(path), problem: null }
  } catch (error) {
    if (!isRunnerError(error)) throw error
    const [problem = { path: basename(path), message: error.message }] = error.problems
    return { task: null, problem }
  }
}

/** Describes a suite by the name of its folder; the format has no description. */
export function describeHarborSuite(folder: string) {
  const name = basename(folder)
  const words = name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-')
  const parsed = slugSchema.safeParse(words)
  if (!parsed.success)
    throw suiteError(
      `${folder} cannot be a suite by its name: use letters, digits, dots and dashes`,
    )
  return {
    suiteId: parsed.data,
    kind: 'harbor' as const,
    title: name.slice(0, 200),
    version: '1',
    description: 'Tasks in Harbor’s format, read as they are.',
  }
}

/** The folder itself if it is a task, otherwise its subfolders that are, otherwise those of `tasks/`. */
function listFolders(folder: string): string[] {
  const isOne = (path: string) => isTask(path) || isCase(path)
  if (isOne(folder)) return [folder]
  const own = foldersIn(folder).filter(isOne)
  return own.length > 0 ? own : foldersIn(join(folder, 'tasks')).filter(isOne)
}

function isTask(folder: string): boolean {
  return existsSync(join(folder, HARBOR_FILE))
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => join(folder, entry.name))
    .sort()
}

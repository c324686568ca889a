import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { slugSchema } from '#lib/domain/record/index.ts'
import { findSuiteLocation, listSuiteLocations } from '../kinds/find-suite.ts'
import { isSuiteFolder } from '../kinds/kinds.ts'
import { suiteError } from '../runner-error.ts'
import { REPOSITORY_FILE } from '../suites/read-repository-task.ts'

/** A suite to audit, or one task of it. */
export type AuditTarget = {
  /** The folder of a suite, as passed to `run`. */
  suiteFolder: string
  /** Null = the whole suite. */
  taskId: string | null
  /** True for a task folder without a suite, which was put into one for the audit. */
  isAlone: boolean
}

/** Finds a suite by name or path, or a task by its folder. `folder` is for a suite created around a single task. */
export function openTarget(nameOrPath: string, dataFolder: string, folder: string): AuditTarget {
  const known = listSuiteLocations(dataFolder).some(({ suiteId }) => suiteId === nameOrPath)
  const path = resolve(nameOrPath)
  if (known || isSuiteFolder(path) || !existsSync(path)) {
    const place = findSuiteLocation(nameOrPath, dataFolder)
    return { suiteFolder: place.folder, taskId: null, isAlone: false }
  }
  const isTask = TASK_FILES.some((file) => existsSync(join(path, file)))
  if (!isTask)
    throw suiteError(
      `${path} is neither a suite (suite.json) nor a task folder (.meta/config.json, ${REPOSITORY_FILE} or task.toml)`,
    )
  if (existsSync(join(dirname(path), 'suite.json')))
    return { suiteFolder: dirname(path), taskId: basename(path), isAlone: false }
  return { suiteFolder: suiteAround(path, folder), taskId: basename(path), isAlone: true }
}

/** Files that mark a folder as a task, one for each kind. */
const TASK_FILES = ['.meta/config.json', 'task.json', REPOSITORY_FILE]

/** Creates a suite of one task: copies the task's folder, with the compiler settings beside it. */
function suiteAround(taskFolder: string, folder: string): string {
  const taskId = basename(taskFolder)
  if (!slugSchema.safeParse(taskId).success)
    throw suiteError(`${taskId} is not a task name: use lower-case letters, digits and dashes`)
  const suiteFolder = join(folder, 'suite')
  mkdirSync(suiteFolder, { recursive: true })
  cpSync(taskFolder, join(suiteFolder, taskId), { recursive: true })
  const settings = join(dirname(taskFolder), 'tsconfig.json')
  if (existsSync(settings)) cpSync(settings, join(suiteFolder, 'tsconfig.json'))
  const isRepository = existsSync(join(taskFolder, REPOSITORY_FILE))
  const kind = isRepository ? 'repository' : 'exercise'
  const about = { suiteId: taskId, kind, title: taskId, description: '', version: '1' }
  writeFileSync(join(suiteFolder, 'suite.json'), JSON.stringify(about))
  return suiteFolder
}

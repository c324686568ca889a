import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { unknownName } from '#lib/domain/record/index.ts'
import { holdsOlderTasks, isHarborSuite, OLDER_TASKS } from '../harbor/load-harbor-suite.ts'
import { suiteError } from '../runner-error.ts'
import { readOwnSuites } from './own-suites.ts'
import { PROJECT_ROOT } from './project-paths.ts'
import { isSweBenchList, SWE_BENCH_LIST } from './swe-bench.ts'

/** A suite folder that can be named: `suite.json` and one folder a task. */
export type SuiteLocation = {
  suiteId: string
  folder: string
  origin: 'built-in' | 'imported' | 'own'
  /** Known to the command line alone: no board takes it over. */
  isPrivate?: boolean
}

/** Built-in suites under `exercises/`, imported ones under the data folder, and those that were added from anywhere. */
export function listSuiteLocations(dataFolder: string): SuiteLocation[] {
  return [
    ...suitesBelow(join(PROJECT_ROOT, 'exercises'), 'built-in'),
    ...suitesBelow(join(dataFolder, 'suites'), 'imported'),
    ...readOwnSuites(dataFolder).map(
      ({ suiteId, folder, visibility }): SuiteLocation => ({
        ...{ suiteId, folder, origin: 'own', isPrivate: visibility === 'private' },
      }),
    ),
  ]
}

/** A suite by name, or by path when `nameOrPath` contains a slash or is a folder with a suite.json. */
export function findSuiteLocation(nameOrPath: string, dataFolder: string): SuiteLocation {
  const places = listSuiteLocations(dataFolder)
  const named = places.find((place) => place.suiteId === nameOrPath)
  if (named) return named
  const folder = resolve(nameOrPath)
  if (isSuiteFolder(folder)) return { suiteId: nameOrPath, folder, origin: 'imported' }
  if (nameOrPath.includes('/') || isFile(folder))
    throw suiteError(`${folder} is not a suite: ${whyNoSuite(folder)}`)
  const known = places.map((place) => place.suiteId)
  throw suiteError(unknownName('suite', nameOrPath, known), [], '--suite')
}

/** Whether a folder is a suite: it says so in `suite.json`, or contains tasks in Harbor's format. */
export function isSuiteFolder(folder: string): boolean {
  return existsSync(join(folder, 'suite.json')) || isHarborSuite(folder)
}

/** Why a path is no suite, as the end of a sentence. */
export function whyNoSuite(path: string): string {
  if (!existsSync(path)) return 'it does not exist'
  if (isFile(path))
    return isSweBenchList(path) ? SWE_BENCH_LIST : 'it is a file, not a folder of tasks'
  return holdsOlderTasks(path) ? OLDER_TASKS : 'it has no suite.json'
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function suitesBelow(parent: string, origin: SuiteLocation['origin']): SuiteLocation[] {
  if (!existsSync(parent)) return []
  return readdirSync(parent)
    .sort()
    .filter((name) => existsSync(join(parent, name, 'suite.json')))
    .map((suiteId) => ({ suiteId, folder: join(parent, suiteId), origin }))
}

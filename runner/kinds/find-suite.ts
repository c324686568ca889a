import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { unknownName } from '#lib/domain/text/index.ts'
import { suiteError } from '../runner-error.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import { isSweBenchList, SWE_BENCH_LIST } from '../suites/swe-bench.ts'
import { explainFolder, isSuiteFolder } from './kinds.ts'
import { readOwnSuites } from './own-suites.ts'

/** A suite folder that can be named: `suite.json` and one folder per task. */
export type SuiteLocation = {
  suiteId: string
  folder: string
  origin: 'built-in' | 'imported' | 'own'
  /** Known to the command line only; no board imports it. */
  isPrivate?: boolean
}

/**
 * Lists the built-in suites under `exercises/`, imported ones under the data folder, and those added from elsewhere.
 */
export function listSuiteLocations(dataFolder: string): SuiteLocation[] {
  return [
    ...suitesBelow(join(PROJECT_ROOT, 'exercises'), 'built-in'),
    ...suitesBelow(join(dataFolder, 'suites'), 'imported'),
    ...readOwnSuites(dataFolder).map(
      ({ suiteId, folder, visibility }): SuiteLocation => ({
        suiteId,
        folder,
        origin: 'own',
        isPrivate: visibility === 'private',
      }),
    ),
  ]
}

/** Finds a suite by name, or by path if `nameOrPath` contains a slash or is a folder with a suite.json. */
export function findSuiteLocation(nameOrPath: string, dataFolder: string): SuiteLocation {
  const places = listSuiteLocations(dataFolder)
  const named = places.find((place) => place.suiteId === nameOrPath)
  if (named) return named
  const folder = resolve(nameOrPath)
  if (isSuiteFolder(folder)) return { suiteId: nameOrPath, folder, origin: 'imported' }
  if (nameOrPath.includes('/') || isFile(folder) || explainFolder(folder) !== null)
    throw suiteError(`${folder} is not a suite: ${whyNoSuite(folder)}`)
  if (nameOrPath === 'exercism')
    throw suiteError(
      'exercism is not imported yet: use --dataset exercism, or run "npx proofboard suite import exercism" first',
      [],
      '--suite',
    )
  const known = places.map((place) => place.suiteId)
  throw suiteError(unknownName('suite', nameOrPath, known), [], '--suite')
}

/** Explains why a path is not a suite, as the end of a sentence. */
export function whyNoSuite(path: string): string {
  if (isFile(path))
    return isSweBenchList(path) ? SWE_BENCH_LIST : 'it is a file, not a folder of tasks'
  return explainFolder(path) ?? (existsSync(path) ? 'it has no suite.json' : 'it does not exist')
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

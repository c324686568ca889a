import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { slugSchema } from '#lib/domain/record/index.ts'
import { parseJson, unknownName } from '#lib/domain/text/index.ts'
import { writeAtomic } from '../engine/files.ts'
import { suiteError } from '../runner-error.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import { isSweBenchList, SWE_BENCH_LIST } from '../suites/swe-bench.ts'
import { explainFolder, isSuiteFolder } from './kinds.ts'

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

/** A user's own suite in any folder. */
const ownSuiteSchema = z.strictObject({
  suiteId: slugSchema,
  folder: z.string().min(1),
  /** `private` = known to the command line of this machine only; `public` = the board lists, launches and shows it. */
  visibility: z.enum(['private', 'public']),
})
type OwnSuite = z.infer<typeof ownSuiteSchema>

const listSchema = z.array(ownSuiteSchema).max(1000)

const fileOf = (dataFolder: string) => join(dataFolder, 'own-suites.json')

/** Lists the added suites that still exist, by name. */
export function readOwnSuites(dataFolder: string): OwnSuite[] {
  return readAll(dataFolder).filter(({ folder }) => isSuiteFolder(folder))
}

function readAll(dataFolder: string): OwnSuite[] {
  const path = fileOf(dataFolder)
  if (!existsSync(path)) return []
  const parsed = listSchema.safeParse(parseJson(readFileSync(path, 'utf8')))
  if (!parsed.success)
    throw suiteError(`${path} is not a list of suites: remove it and add them again`)
  return parsed.data
}

/** Adds a suite, or changes its visibility; `taken` are the names of other suites. */
export async function addOwnSuite(
  dataFolder: string,
  own: OwnSuite,
  taken: readonly string[],
): Promise<void> {
  const { suiteId } = own
  const folder = resolve(own.folder)
  const others = readAll(dataFolder).filter((one) => one.folder !== folder)
  if (taken.includes(suiteId) || others.some((one) => one.suiteId === suiteId))
    throw suiteError(`there is another suite called ${suiteId}: change suiteId in its suite.json`)
  const all = [...others, { ...own, folder }].sort((a, b) => (a.suiteId < b.suiteId ? -1 : 1))
  await writeAtomic(fileOf(dataFolder), `${JSON.stringify(all, null, 1)}\n`)
}

/** Removes a suite from the list; its folder stays as it is. */
export async function removeOwnSuite(dataFolder: string, suiteId: string): Promise<void> {
  const all = readAll(dataFolder)
  const left = all.filter((one) => one.suiteId !== suiteId)
  if (left.length === all.length)
    throw suiteError(`no suite called ${suiteId} was added: "proofboard suite list" names them`)
  await writeAtomic(fileOf(dataFolder), `${JSON.stringify(left, null, 1)}\n`)
}

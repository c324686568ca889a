import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { slugSchema } from '#lib/domain/record/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { writeAtomic } from '../engine/files.ts'
import { suiteError } from '../runner-error.ts'
import { isSuiteFolder } from './kinds.ts'

/** A user's own suite in any folder. */
const ownSuiteSchema = z.strictObject({
  suiteId: slugSchema,
  folder: z.string().min(1),
  /** `private` = known to the command line of this machine only; `public` = the board lists, launches and shows it. */
  visibility: z.enum(['private', 'public']),
})
export type OwnSuite = z.infer<typeof ownSuiteSchema>

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

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type LibraryFacts, libraryFactsSchema } from '#lib/domain/axes/library-facts.ts'
import { slugSchema } from '#lib/domain/names.ts'
import { env } from '#lib/env.ts'
import { createLog } from '#lib/log.ts'

const log = createLog('library-facts')

/**
 * What was measured of a suite's libraries apart from episodes: on this machine, in the data folder, else as it came
 * with the suite. Null = nothing was; a file that cannot be read counts as none, and the log says so.
 */
export async function getLibraryFacts(suiteId: string): Promise<LibraryFacts | null> {
  if (!slugSchema.safeParse(suiteId).success) return null
  const { dataDir, root } = env()
  const own = join(dataDir, 'library-facts', `${suiteId}.json`)
  const shipped = join(/* turbopackIgnore: true */ root, 'exercises', suiteId, 'library-facts.json')
  return (await readFacts(own)) ?? (await readFacts(shipped))
}

async function readFacts(path: string): Promise<LibraryFacts | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  const parsed = libraryFactsSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  log.warn('measured facts of libraries are left out: the file is not what it should be', { path })
  return null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

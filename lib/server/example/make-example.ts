import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { refreshBoard } from '../../db/board-store.ts'
import { closeOtherDatabase, database, migrateDatabase } from '../../db/database.ts'
import { listSuites } from '../../db/suite-store.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import { env, inDataFolder } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { commitResults } from '../ingest/commit-results.ts'
import { readUploadBody } from '../ingest/read-body.ts'
import { type Example, folderOf } from './examples.ts'
import { seedBrowserDemo, seedDemo } from './seed-demo.ts'

// On globalThis, because Next may load a module more than once in a process.
const shared = globalThis as { proofboardExamples?: Map<Example, Promise<void>> }

/** Makes an example unless it is there; two clicks make it once. */
export function makeExample(example: Example, actor: Actor): Promise<void> {
  shared.proofboardExamples ??= new Map()
  const making = shared.proofboardExamples
  const known = making.get(example)
  if (known !== undefined) return known
  const work = make(example, actor).finally(() => making.delete(example))
  making.set(example, work)
  return work
}

/** Removes an example whole: its database, its files, nothing else. */
export async function removeExample(example: Example): Promise<void> {
  const folder = folderOf(example)
  await closeOtherDatabase(join(folder, 'proofboard.db'))
  await rm(folder, { recursive: true, force: true })
}

/** In a folder that gets its name when it is complete: a server that stops meanwhile leaves no half of a board. */
async function make(example: Example, actor: Actor): Promise<void> {
  const folder = folderOf(example)
  if (existsSync(folder)) return
  const draft = `${folder}.${randomUUID()}`
  await mkdir(draft, { recursive: true, mode: 0o700 })
  try {
    await inDataFolder(draft, async () => {
      await migrateDatabase()
      await FILLERS[example](draft, actor)
    })
    await closeOtherDatabase(join(draft, 'proofboard.db'))
    await rename(draft, folder)
  } finally {
    await closeOtherDatabase(join(draft, 'proofboard.db'))
    await rm(draft, { recursive: true, force: true })
  }
}

const FILLERS: Record<Example, (dataDir: string, actor: Actor) => Promise<void>> = {
  simulated: async (dataDir) => {
    await seedDemo(database(), dataDir)
    await seedBrowserDemo(database(), dataDir)
  },
  'ts-bench': async (dataDir, actor) => loadPublished(dataDir, actor),
}

/** The published figures of ts-bench, by the importer of its files. */
async function loadPublished(dataDir: string, actor: Actor): Promise<void> {
  const published = createReadStream(join(env().root, 'public/examples/ts-bench.json'))
  const file = join(dataDir, 'upload')
  const body = await readUploadBody(published, { file, contentType: 'application/json' })
  const now = new Date()
  const { status } = await commitResults(database(), { body, actor, now, provenance: 'manual' })
  if (status !== 'committed')
    throw new AppError('conflict', 'The published results could not be loaded.')
  for (const suite of await listSuites(database())) await refreshBoard(database(), suite, now)
  await rm(file, { force: true })
}

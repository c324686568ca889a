import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { closeOtherDatabase, database, migrateDatabase } from '../../db/database.ts'
import { refreshBoard } from '../../db/refresh-board.ts'
import { listSuites } from '../../db/suite-store.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import { env, inDataFolder } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { processWide } from '../../process-wide.ts'
import { readRequestBody } from '../http/request.ts'
import { commitResults } from '../ingest/commit-results.ts'
import { readUploadBody } from '../ingest/read-body.ts'
import {
  EXAMPLE_COOKIE,
  type Example,
  exampleSchema,
  examplesFolder,
  folderOf,
} from './examples.ts'
import { seedBrowserDemo, seedDemo } from './seed-demo.ts'

const making = processWide('examples', () => new Map<Example, Promise<void>>())

/** Makes an example unless it is there; two clicks make it once. */
export function makeExample(example: Example, actor: Actor): Promise<void> {
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

/** No example takes that long. */
const OLD_MS = 6 * 60 * 60_000

/** Removes what a server left that was killed while it made an example. */
export async function sweepExamples(): Promise<void> {
  const folder = examplesFolder()
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    const draft = join(folder, name)
    if (exampleSchema.safeParse(name).success) continue
    const found = await stat(draft).catch(() => null)
    if (found && Date.now() - found.mtimeMs > OLD_MS)
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

const formSchema = z.object({ example: exampleSchema, do: z.enum(['show', 'leave', 'remove']) })
type ExampleForm = z.infer<typeof formSchema>

const MOST_BYTES = 1000

/** Which example, and what to do with it. */
export async function readExampleForm(request: Request): Promise<ExampleForm> {
  const body = await readRequestBody(request, MOST_BYTES)
  const fields = new URLSearchParams(new TextDecoder().decode(body))
  const parsed = formSchema.safeParse(Object.fromEntries(fields))
  if (parsed.success) return parsed.data
  throw new AppError('invalid-request', 'Send a form with "example" and "do".')
}

/** Long enough to look around; a browser that forgot it is back on its own board. */
const SHOWN_SECONDS = 4 * 3600

/** Leads to the board that the browser sees from then on. */
export async function changeExample(
  { example, do: what }: ExampleForm,
  actor: Actor,
): Promise<Response> {
  if (what === 'show') await makeExample(example, actor)
  if (what === 'remove') await removeExample(example)
  const seconds = what === 'show' ? SHOWN_SECONDS : 0
  const secure = env().publicUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = `${EXAMPLE_COOKIE}=${example}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
  return new Response(null, { status: 303, headers: { Location: '/', 'Set-Cookie': cookie } })
}

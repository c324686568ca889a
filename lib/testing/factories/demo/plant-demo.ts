import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import { moveToServer } from '../../../db/move-database.ts'
import { openDb } from '../../../db/open-db.ts'
import { hashSources } from '../../../setup/build.mjs'
import { bundleEntry } from '../../../setup/bundle.mjs'
import { MIGRATIONS_DIR, ON_POSTGRES } from '../postgres.ts'
import { writeMigrated } from '../temporary-database.ts'
import { seedBrowserDemo, seedDemo } from './demo-boards.ts'

// On globalThis, because test files that share a process evaluate their modules again.
const shared = globalThis as { demoTemplates?: Map<string, Promise<string>> }

type Extent = { withBrowser: boolean; isSmall: boolean }
/** Two agents, one of them from a recording, a library, a row with few samples, and the suite's earlier version. */
const SOME_ROWS = [0, 3, 4, 10, 12]
/** A library, and one driven by a model. */
const SOME_BROWSER_ROWS = [0, 4]

/**
 * Fills a data folder with the database of the demo suite, and `withBrowser` also with that of libraries and its
 * evidence. `isSmall` leaves out most rows, for tests that compute boards or read everything repeatedly. Seeding takes
 * seconds, so it is done once per state of the sources and copied.
 */
export async function plantDemo(
  dataDir: string,
  { withBrowser = false, isSmall = false, url = process.env.DATABASE_URL } = {},
): Promise<void> {
  cpSync(await template({ withBrowser, isSmall }), dataDir, { recursive: true })
  if (!ON_POSTGRES || !url) return
  const order = { migrationsDir: MIGRATIONS_DIR, now: new Date() }
  await moveToServer(join(dataDir, 'proofboard.db'), url, order)
}

function template(extent: Extent): Promise<string> {
  shared.demoTemplates ??= new Map()
  const name = suffixOf(extent)
  const known = shared.demoTemplates.get(name) ?? findOrMake(extent)
  shared.demoTemplates.set(name, known)
  return known
}

/** Names a variant; the digest in front of it does not cover this file. */
function suffixOf({ withBrowser, isSmall }: Extent): string {
  const of = (rows: readonly number[]) => (isSmall ? `-${rows.join('.')}` : '')
  return `${of(SOME_ROWS)}${withBrowser ? `-browser${of(SOME_BROWSER_ROWS)}` : ''}`
}

/** Stored next to the bundle of the seeding program, whose name contains a digest of the sources. */
async function findOrMake(extent: Extent): Promise<string> {
  const program = await bundleEntry('lib/testing/factories/demo/seed-demo.ts')
  const packages = hashSources(PROJECT_ROOT, ['package-lock.json', 'prisma']).slice(0, 16)
  const state = `${basename(program, '.mjs')}-${packages}`
  const folder = join(dirname(program), `${state}${suffixOf(extent)}`)
  if (!existsSync(folder)) {
    await make(folder, extent)
    removeOthers(dirname(folder), state)
  }
  return folder
}

/** Removes variants of earlier states of the sources. */
function removeOthers(place: string, state: string): void {
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    const isTemplate = entry.isDirectory() && entry.name.startsWith('seed-demo-')
    if (isTemplate && !entry.name.startsWith(state))
      rmSync(join(place, entry.name), { recursive: true, force: true })
  }
}

async function make(folder: string, extent: Extent): Promise<void> {
  const draft = `${folder}.${randomUUID()}`
  mkdirSync(draft, { recursive: true })
  const { withBrowser, isSmall } = extent
  const base = { ...extent, withBrowser: false }
  if (withBrowser) cpSync(await template(base), draft, { recursive: true })
  else writeMigrated(join(draft, 'proofboard.db'))
  const db = openDb(join(draft, 'proofboard.db'))
  if (withBrowser) await seedBrowserDemo(db, draft, isSmall ? SOME_BROWSER_ROWS : null)
  else await seedDemo(db, draft, isSmall ? SOME_ROWS : null)
  await db.$disconnect()
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another process made the same folder first.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

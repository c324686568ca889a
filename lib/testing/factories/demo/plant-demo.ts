import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import { moveToServer } from '../../../db/move-database.ts'
import { openDb } from '../../../db/open-db.ts'
import { seedBrowserDemo, seedDemo } from '../../../server/example/seed-demo.ts'
import { hashSources } from '../../../setup/build.mjs'
import { bundleEntry } from '../../../setup/bundle.mjs'
import { MIGRATIONS_DIR, ON_POSTGRES } from '../postgres.ts'
import { writeMigrated } from '../temporary-database.ts'

// On globalThis, because test files that share a process evaluate their modules again.
const shared = globalThis as { demoTemplates?: Map<boolean, Promise<string>> }

/**
 * Fills a data folder with a database of the made-up suites, `withBrowser` also with that of libraries and its evidence.
 * Seeding takes seconds: it is done once for each state of the sources and copied.
 */
export async function plantDemo(
  dataDir: string,
  { withBrowser = false, url = process.env.DATABASE_URL } = {},
): Promise<void> {
  cpSync(await template(withBrowser), dataDir, { recursive: true })
  if (!ON_POSTGRES || !url) return
  const order = { migrationsDir: MIGRATIONS_DIR, now: new Date() }
  await moveToServer(join(dataDir, 'proofboard.db'), url, order)
}

function template(withBrowser: boolean): Promise<string> {
  shared.demoTemplates ??= new Map()
  const known = shared.demoTemplates.get(withBrowser) ?? findOrMake(withBrowser)
  shared.demoTemplates.set(withBrowser, known)
  return known
}

/** Stored next to the bundle of the seeding program, whose name is a digest of our sources in it. */
async function findOrMake(withBrowser: boolean): Promise<string> {
  const program = await bundleEntry('lib/testing/factories/demo/seed-demo.ts')
  const packages = hashSources(PROJECT_ROOT, ['package-lock.json', 'prisma']).slice(0, 16)
  const name = `${basename(program, '.mjs')}-${packages}${withBrowser ? '-browser' : ''}`
  const folder = join(dirname(program), name)
  if (!existsSync(folder)) {
    await make(folder, withBrowser)
    removeOthers(folder)
  }
  return folder
}

/** Those of earlier states of the sources, which are no longer used. */
function removeOthers(folder: string): void {
  const state = basename(folder).replace('-browser', '')
  for (const entry of readdirSync(dirname(folder), { withFileTypes: true })) {
    const isTemplate = entry.isDirectory() && entry.name.startsWith('seed-demo-')
    if (isTemplate && !entry.name.startsWith(state))
      rmSync(join(dirname(folder), entry.name), { recursive: true, force: true })
  }
}

async function make(folder: string, withBrowser: boolean): Promise<void> {
  const draft = `${folder}.${randomUUID()}`
  mkdirSync(draft, { recursive: true })
  if (withBrowser) cpSync(await template(false), draft, { recursive: true })
  else writeMigrated(join(draft, 'proofboard.db'))
  const db = openDb(join(draft, 'proofboard.db'))
  await (withBrowser ? seedBrowserDemo(db, draft) : seedDemo(db, draft))
  await db.$disconnect()
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another process may have made the same: its folder is as good.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../../../db/open-db.ts'
import { writeMigrated } from '../temporary-database.ts'
import { seedBrowserDemo, seedDemo } from './seed-demo.ts'

// On globalThis, because test files that share a process evaluate their modules anew.
const shared = globalThis as { demoTemplates?: Map<boolean, Promise<string>> }

/**
 * Fills a data folder with a database of the made-up suites, `withBrowser` also with that of libraries and its evidence.
 * Seeding takes seconds: it is done once in a process and copied.
 */
export async function plantDemo(dataDir: string, { withBrowser = false } = {}): Promise<void> {
  cpSync(await template(withBrowser), dataDir, { recursive: true })
}

function template(withBrowser: boolean): Promise<string> {
  shared.demoTemplates ??= new Map()
  const known = shared.demoTemplates.get(withBrowser) ?? make(withBrowser)
  shared.demoTemplates.set(withBrowser, known)
  return known
}

async function make(withBrowser: boolean): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'proofboard-demo-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, 'proofboard.db')
  if (withBrowser) await plantDemo(dir)
  else writeMigrated(file)
  const db = openDb(file)
  await (withBrowser ? seedBrowserDemo(db, dir) : seedDemo(db))
  await db.$disconnect()
  return dir
}

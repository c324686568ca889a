import { join } from 'node:path'
import { migrate } from '#lib/db/migrate.ts'
import { openDb } from '#lib/db/open-db.ts'
import { seedBrowserDemo, seedDemo } from '../factories/demo/seed-demo.ts'
import { MIGRATIONS_DIR } from '../factories/temporary-database.ts'
import { type Copy, startCopy } from './start-copy.ts'

/** A Proofboard of its own that holds the made-up suites and nothing else. */
export function startDemoCopy(env: Record<string, string> = {}): Promise<Copy> {
  return startCopy({ PROOFBOARD_FIRST_RUNS: '0', ...env }, async (dataDir) => {
    const file = join(dataDir, 'proofboard.db')
    migrate(file, MIGRATIONS_DIR)
    const db = openDb(file)
    await seedDemo(db)
    await seedBrowserDemo(db, dataDir)
    await db.$disconnect()
  })
}

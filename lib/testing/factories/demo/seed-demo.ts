import { closeDataFolder } from '../../../close-data-folder.ts'
import { migrate } from '../../../db/migrate.ts'
import { openDb } from '../../../db/open-db.ts'
import { env } from '../../../env.ts'
import { seedBrowserDemo, seedDemo } from './demo-boards.ts'

/** Adds the suites `demo` and `demo-browser` to a data folder, and creates it if necessary. */
export async function fillFolder(dataDir: string): Promise<void> {
  const file = `${dataDir}/proofboard.db`
  closeDataFolder(dataDir)
  migrate(file, env().migrationsDir)
  const db = openDb(file)
  await seedDemo(db, dataDir)
  await seedBrowserDemo(db, dataDir)
  await db.$disconnect()
}

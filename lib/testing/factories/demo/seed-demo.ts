import { closeDataFolder } from '../../../close-data-folder.ts'
import { migrate } from '../../../db/migrate.ts'
import { openDb } from '../../../db/open-db.ts'
import { env } from '../../../env.ts'
import { seedBrowserDemo, seedDemo } from '../../../server/example/seed-demo.ts'

/** `npm run demo`: adds the made-up suites to the data folder, so that every page has something to show. */
export async function main(): Promise<void> {
  const { databaseFile, migrationsDir } = env()
  closeDataFolder(env().dataDir)
  migrate(databaseFile, migrationsDir)
  const db = openDb(databaseFile)
  await seedDemo(db, env().dataDir)
  await seedBrowserDemo(db, env().dataDir)
  await db.$disconnect()
  process.stdout.write(`suites "demo" and "demo-browser" (simulated) are in ${databaseFile}\n`)
}

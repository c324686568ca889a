import { openDb } from '#lib/db/open-db.ts'
import { countWaiting, uploadSealed } from '#lib/worker/upload-evidence.ts'

/** Prints `here` when it begins; ends when nothing is pending. */
export async function main(argv: readonly string[]): Promise<void> {
  const db = openDb(argv[2] ?? '')
  process.stdout.write('here\n')
  while (countWaiting() > 0) await uploadSealed(db)
  await db.$disconnect()
}

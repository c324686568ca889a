import { createReadStream } from 'node:fs'
import { openDb } from '#lib/db/open-db.ts'
import { commitResults } from '#lib/server/ingest/commit-results.ts'
import { readUploadBody } from '#lib/server/ingest/read-body.ts'

/** Prints `here` when the commit begins, and its status at the end. */
export async function main(argv: readonly string[]): Promise<void> {
  const [, , database = '', file = ''] = argv
  const db = openDb(database)
  const body = await readUploadBody(createReadStream(file), { file: `${file}.${process.pid}` })
  process.stdout.write('here\n')
  const actor = { kind: 'console', id: null, name: 'console' } as const
  const done = await commitResults(db, { body, actor, provenance: 'manual', now: new Date() })
  process.stdout.write(`${done.status}\n`)
  await db.$disconnect()
}

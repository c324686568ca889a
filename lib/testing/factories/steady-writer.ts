import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ON_POSTGRES } from './postgres.ts'

const FILE_WRITER = `
const { DatabaseSync, enhance } = require('@photostructure/sqlite')
const db = enhance(new DatabaseSync(process.argv[1], { timeout: 10000 }))
const one = db.prepare('INSERT INTO "Verification" VALUES (?, ?, ?, 0, 0, 0)')
const two = db.prepare('INSERT INTO "SignInThrottle" VALUES (?, 0, 0, NULL)')
const both = db.transaction((key) => { one.run(key, key, 'x'.repeat(4000)); two.run(key) })
let next = 0
const write = () => { for (let n = 0; n < 5; n++) both('k' + next++); setImmediate(write) }
process.stdin.on('end', () => process.exit(0)).resume()
write()
console.log('writing')
`
const SERVER_WRITER = `
const pg = require('pg')
const client = new pg.Client(process.argv[1])
const both = async (key) => {
  await client.query('BEGIN')
  await client.query('INSERT INTO "Verification" VALUES ($1, $1, $2, now(), now(), now())', [key, 'x'.repeat(4000)])
  await client.query('INSERT INTO "SignInThrottle" VALUES ($1, 0, now(), NULL)', [key])
  await client.query('COMMIT')
}
let next = 0
process.stdin.on('end', () => process.exit(0)).resume()
void (async () => {
  await client.connect()
  await both('k' + next++)
  console.log('writing')
  for (;;) await both('k' + next++)
})()
`

/** Starts a process that keeps writing two tables of a database in one transaction; resolves once it does. */
export async function startWriter(place: string): Promise<{ stop: () => Promise<void> }> {
  const program = ON_POSTGRES ? SERVER_WRITER : FILE_WRITER
  const writer = spawn(process.execPath, ['-e', program, place], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(writer.stdout, 'data')
  return {
    stop: async () => {
      writer.stdin.end()
      await once(writer, 'close')
    },
  }
}

import { type Command, InvalidArgumentError } from 'commander'
import { countOf } from '#lib/domain/text/index.ts'
import { env } from '#lib/env.ts'
import { NEEDS_PERSON } from '#lib/setup/serve/exit-codes.mjs'
import { closeDataFolder } from '../../close-data-folder.ts'
import {
  adoptBucket,
  checkStoredEvidence,
  describeCheck,
  moveEvidence,
  sweepEvidence,
} from '../care/evidence-care.ts'
import { describeUpgrade, needsPerson, startDatabaseAlone } from '../care/start-database.ts'
import { moveDatabase, withServerDatabase } from '../care/with-server-database.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import {
  describeFiles,
  printElsewhere,
  printError,
  printJson,
  printProblems,
  printText,
} from './output.ts'

type Json = { json?: boolean }
const JSON_OPTION = ['--json', 'print one JSON object as the last line of stdout'] as const

/** `proofboard server evidence …`: check, move, sweep, adopt. */
export function addEvidenceCommand(program: Command): void {
  const evidence = program.command('evidence').description('check and move the files of episodes')
  evidence
    .command('check')
    .description('test the store, and compare every file with its sealed digest')
    .option(...JSON_OPTION)
    .action(({ json = false }: Json) => withServerDatabase(() => check(json)))
  evidence
    .command('move')
    .description(
      'copy every file to the bucket or to the data folder and verify it there; can be repeated',
    )
    .requiredOption('--to <store>', 'disk or s3', readStore)
    .option('--remove', 'with --to s3: delete each local file once its copy is verified')
    .option(...JSON_OPTION)
    .action(move)
  evidence
    .command('sweep')
    .description('list stored files that no episode names and that are older than a day')
    .option('--delete', 'delete them')
    .option(...JSON_OPTION)
    .action(sweep)
  evidence
    .command('adopt')
    .description('take over a bucket that is marked as the one of another board')
    .option(...JSON_OPTION)
    .action(adopt)
}

async function check(json: boolean): Promise<void> {
  const { name, kind } = evidenceStore()
  await evidenceStore().probe()
  const found = await checkStoredEvidence()
  if (found.problems.length > 0) process.exitCode = 1
  printProblems(found.problems)
  if (json) return printJson({ store: kind, ...found })
  printText(`${name}: ${describeCheck(found)}`)
}

function readStore(text: string): 'disk' | 's3' {
  if (text === 'disk' || text === 's3') return text
  throw new InvalidArgumentError('expected disk or s3')
}

type MoveOptions = Json & { to: 'disk' | 's3'; remove?: boolean }

async function move({ to, remove = false, json = false }: MoveOptions): Promise<void> {
  const moved = await withServerDatabase(() => moveEvidence(to, remove))
  const { files, bytes, removed, elsewhere, problems } = moved
  if (problems.length > 0) process.exitCode = 1
  printProblems(problems)
  if (json) return printJson(moved)
  printElsewhere(elsewhere)
  printText(
    `${describeFiles(files, bytes)} verified on ${to}, ${countOf(problems.length, 'problem')}`,
  )
  if (removed > 0) printText(`${countOf(removed, 'local file')} deleted`)
  if (to === 'disk' && problems.length === 0)
    printError('unset PROOFBOARD_EVIDENCE_URL and restart the server; the bucket was not changed')
}

async function sweep({ delete: deletes = false, json = false }: Json & { delete?: boolean }) {
  const found = await withServerDatabase(() => sweepEvidence(!deletes))
  if (json) return printJson({ deleted: deletes, ...found })
  for (const name of found.names) printError(name)
  const words = deletes ? 'deleted' : 'would be deleted: add --delete'
  printText(`${describeFiles(found.files, found.bytes)} ${words}`)
}

async function adopt({ json = false }: Json): Promise<void> {
  const adopted = await withServerDatabase(() => adoptBucket())
  const { name, board, before } = adopted
  if (json) return printJson(adopted)
  const words = { none: 'had no owner', own: 'was already its own', other: `belonged to ${before}` }
  const was = before === null ? words.none : before === board ? words.own : words.other
  printText(`${name} belongs to board ${board}; it ${was}`)
}

/** `proofboard server database …`: migrate this server's database, or move the file in the data folder to a PostgreSQL server. */
export function addDatabaseCommand(program: Command): void {
  const database = program.command('database').description('the database of this server')
  database
    .command('migrate')
    .description('bring the database up to this version, as npm start does; stop the server first')
    .option('--without-copy', 'do not store a copy of the database before')
    .action(migrate)
  database
    .command('move')
    .description(
      'copy the SQLite database into an empty PostgreSQL database; stop the server first',
    )
    .requiredOption('--to <url>', 'postgresql://user:password@host:5432/name')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(moveToPostgres)
}

/** Migrates the database. Exits with a separate code when a restart does not help. */
async function migrate({ withoutCopy = false }: { withoutCopy?: boolean }): Promise<void> {
  try {
    closeDataFolder(env().dataDir)
    const upgrade = await startDatabaseAlone({ withCopy: !withoutCopy })
    for (const line of upgrade ? describeUpgrade(upgrade) : ['up to date']) printText(line)
  } catch (error) {
    if (!needsPerson(error)) throw error
    printError(error.message)
    process.exitCode = NEEDS_PERSON
  }
}

async function moveToPostgres({ to, json }: { to: string; json?: boolean }): Promise<void> {
  const { tables } = await moveDatabase(to)
  if (json) return printJson({ tables })
  for (const { table, rows, digest } of tables)
    printText(`${table}: ${countOf(rows, 'row')}, ${digest}`)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  printText(
    `moved ${countOf(rows, 'row')} of ${countOf(tables.length, 'table')}, each equal by count and digest`,
  )
  printText('start the server with DATABASE_URL set to this address; the file is not changed')
}

import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { CONSOLE_ACTOR } from '../../domain/accounts/index.ts'
import type { BackupManifest } from '../../domain/archive/index.ts'
import { countOf, formatBytes } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { backupFolder, listBackups } from '../care/backup-folders.ts'
import { createBackup } from '../care/create-backup.ts'
import { checkStoredEvidence, describeCheck } from '../care/evidence-care.ts'
import { type LeftOutCounts, restoreBackup } from '../care/restore-backup.ts'
import { pruneNow } from '../care/retention.ts'
import { verifyBackup } from '../care/verify-backup.ts'
import { withServerDatabase } from '../care/with-server-database.ts'
import { describeFiles, printError, printJson, printProblems, printText } from './output.ts'

type Json = { json?: boolean }

/** `proofboard server backup …`: create, list, verify, restore. */
export function addBackupCommand(program: Command): void {
  const backup = program.command('backup').description('back up the data of this server')
  backup
    .command('create')
    .description('create a backup of the database and its files while the server runs')
    .option('--to <dir>', 'the folder for backups (default: backups in the data folder)')
    .option('--with-evidence', 'also logs, solutions, recordings and screenshots')
    .option(
      '--with-secret',
      'also auth-secret and ledger-key, which sign sessions and the head of the ledger',
    )
    .option('--keep <n>', 'keep this many backups and delete older ones', whole)
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(create)
  backup
    .command('list')
    .description('list complete backups, newest first')
    .option('--in <dir>', 'the folder for backups (default: backups in the data folder)')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(list)
  backup
    .command('verify')
    .description('verify every file, the database and the ledger; read-only')
    .argument('<dir>', 'one backup')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(verify)
  backup
    .command('restore')
    .description('restore a backup into a new data folder')
    .argument('<dir>', 'one backup')
    .requiredOption('--into <dir>', 'a new or empty data folder')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(restore)
}

type CreateOptions = Json & {
  to?: string
  withEvidence?: boolean
  withSecret?: boolean
  keep?: number
}

async function create({ to, withEvidence, withSecret, keep, json }: CreateOptions): Promise<void> {
  const options = {
    to: to ?? null,
    withEvidence: withEvidence ?? false,
    withSecret: withSecret ?? false,
    keep: keep ?? null,
  }
  const made = await withServerDatabase(() => createBackup(options, CONSOLE_ACTOR), {
    allowsOlder: true,
  })
  const { folder, manifest, removed } = made
  const { counts, files, lacks, holds, leftOut } = manifest
  for (const { path, problem } of lacks) printError(`left out: ${path} ${problem}`)
  for (const name of removed) printError(`removed the older ${name}`)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (json)
    return printJson({
      folder,
      files: files.length,
      bytes,
      counts,
      holds,
      leftOut: { files: leftOut.files, bytes: leftOut.bytes },
      lacks,
      removed,
    })
  printContents(manifest)
  printText(
    `${folder}: ${describeFiles(files.length, bytes)}, ${countOf(counts.episodes, 'episode')}`,
  )
}

/** Prints what a backup includes and what not. */
function printContents({ holds, leftOut }: BackupManifest): void {
  const { evidence, authSecret, ledgerKey = false } = holds
  const named = [
    [evidence, 'evidence'],
    [authSecret, 'auth-secret'],
    [ledgerKey, 'ledger-key'],
  ] as const
  const included = ['the database', ...named.flatMap(([has, name]) => (has ? [name] : []))]
  printError(`included: ${included.join(', ')}`)
  if (leftOut.files > 0) {
    const why = evidence ? 'not in this data folder' : '--with-evidence includes it'
    printError(`not included: ${describeFiles(leftOut.files, leftOut.bytes)} of evidence (${why})`)
  }
  const secrets = named.slice(1).flatMap(([has, name]) => (has ? [] : [name]))
  if (secrets.length > 0)
    printError(`not included: ${secrets.join(', ')} (--with-secret includes what there is)`)
}

function list({ in: place, json }: Json & { in?: string }): void {
  const from = backupFolder(place)
  const backups = listBackups(from)
  if (json) printJson({ backups })
  else if (backups.length === 0)
    printText(`no complete backup in ${from}; to make one: npx proofboard server backup create`)
  for (const { folder, bytes, counts } of json ? [] : backups)
    printText(`${folder}: ${formatBytes(bytes)}, ${countOf(counts.episodes, 'episode')}`)
}

async function verify(folder: string, { json }: Json): Promise<void> {
  const { ok, manifest, problems, elsewhere } = await verifyBackup(resolve(folder))
  if (!ok) process.exitCode = 1
  printProblems(problems)
  const { counts, createdAt, ledgerHead, holds, lacks } = manifest
  if (json)
    return printJson({ ok, createdAt, counts, ledgerHead, holds, problems, lacks, elsewhere })
  if (elsewhere > 0) printError(`${countOf(elsewhere, 'evidence file')} not in this backup`)
  const held = `${countOf(counts.episodes, 'episode')}, ledger head ${ledgerHead?.hash ?? '(none)'}`
  printText(
    ok
      ? `complete, of ${createdAt}: ${held}`
      : `DAMAGED in ${countOf(problems.length, 'place')}: ${held}`,
  )
}

async function restore(folder: string, { into, json }: Json & { into: string }): Promise<void> {
  const { manifest, migrated, into: target, leftOut } = await restoreBackup(resolve(folder), into)
  const { counts, createdAt } = manifest
  for (const name of migrated) printError(`migrated: ${name}`)
  if (json) return printJson({ into: target, counts, migrated, leftOut })
  printText(`${target}: ${countOf(counts.episodes, 'episode')} of ${createdAt}`)
  for (const line of nextSteps(target, manifest, leftOut)) printError(line)
}

/** Lists what an operator has to know or do after a restore. */
function nextSteps(
  target: string,
  { holds, counts }: BackupManifest,
  { episodes, files }: LeftOutCounts,
): string[] {
  const { secretsDir, dataDir } = env()
  const steps: string[] = []
  if (files > 0)
    steps.push(
      `not in the backup: ${countOf(files, 'evidence file')} of ${countOf(episodes, 'episode')}; copy runs and received of the earlier data folder into this one, or set PROOFBOARD_EVIDENCE_URL, then run proofboard server evidence check`,
    )
  if (!holds.authSecret && counts.users > 0)
    steps.push(
      'not in the backup: auth-secret; users sign in again, accounts and tokens stay valid',
    )
  if (holds.ledgerKey === false)
    steps.push(
      'not in the backup: ledger-key; the server makes a new one, earlier heads stay valid',
    )
  if ((holds.authSecret || holds.ledgerKey) && secretsDir !== dataDir)
    steps.push('move auth-secret and ledger-key into PROOFBOARD_SECRETS_DIR')
  if (isOnServer())
    steps.push(
      'this is a SQLite board: start it with DATABASE_URL unset, or first copy it into an empty PostgreSQL database with proofboard server database move',
    )
  return [...steps, `start it: PROOFBOARD_DATA_DIR=${target} npm start`]
}

/** Returns whether this environment names a PostgreSQL database, on which the server would start. */
function isOnServer(): boolean {
  const { database, databaseFile } = env()
  return database !== databaseFile
}

function whole(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 10_000) return value
  throw new InvalidArgumentError('expected a whole number from 1')
}

type Options = { dryRun?: boolean; verify?: boolean; json?: boolean }

/** `proofboard server retention`: prune logs now, preview it, or check stored evidence. */
export function addRetentionCommand(program: Command): void {
  program
    .command('retention')
    .description(
      'delete old logs by PROOFBOARD_LOG_QUOTA and PROOFBOARD_KEEP_LOGS_DAYS; envelopes, plans, solutions and grading evidence stay',
    )
    .option('--dry-run', 'only print what would be deleted')
    .option('--verify', 'compare every evidence file with its sealed digest instead')
    .option('--json', 'print one JSON object as the last line of stdout')
    .addHelpText(
      'after',
      '\nExample: PROOFBOARD_KEEP_LOGS_DAYS=90 npx proofboard server retention --dry-run',
    )
    .action(({ dryRun = false, verify = false, json = false }: Options) =>
      withServerDatabase(() => (verify ? check(json) : prune(dryRun, json))),
    )
}

async function prune(dryRun: boolean, json: boolean): Promise<void> {
  const { logQuotaBytes, keepLogsDays } = env()
  if (logQuotaBytes === null && keepLogsDays === null)
    printError(
      'neither PROOFBOARD_LOG_QUOTA nor PROOFBOARD_KEEP_LOGS_DAYS is set: nothing is pruned',
    )
  const { chosen } = await pruneNow(dryRun)
  const bytes = chosen.reduce((sum, file) => sum + file.bytes, 0)
  if (json) return printJson({ dryRun, files: chosen.length, bytes, chosen })
  for (const { path, bytes: size, reason } of chosen)
    printError(`${path}: ${formatBytes(size)}, ${reason}`)
  printText(`${describeFiles(chosen.length, bytes)} ${dryRun ? 'would be deleted' : 'deleted'}`)
}

async function check(json: boolean): Promise<void> {
  const found = await checkStoredEvidence()
  if (found.problems.length > 0) process.exitCode = 1
  printProblems(found.problems)
  if (json) return printJson(found)
  printText(describeCheck(found))
}

import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { CONSOLE_ACTOR } from '../../domain/accounts/index.ts'
import { countOf, formatBytes } from '../../domain/record/index.ts'
import { env } from '../../env.ts'
import { backupFolder, listBackups } from '../care/backup-folders.ts'
import { createBackup } from '../care/create-backup.ts'
import { checkStoredEvidence } from '../care/evidence-care.ts'
import { restoreBackup, verifyBackup } from '../care/restore-backup.ts'
import { pruneNow } from '../care/retention.ts'
import { withServerDatabase } from '../care/with-server-database.ts'
import { describeFiles, printError, printJson, printProblems, printText } from './output.ts'

type Json = { json?: boolean }

/** `proofboard backup …`: create, list, verify, restore. */
export function addBackupCommand(program: Command): void {
  const backup = program.command('backup').description('back up the data of this server')
  backup
    .command('create')
    .description('create a backup of the database and its files while the server runs')
    .option('--to <dir>', 'the folder for backups (default: backups in the data folder)')
    .option('--with-evidence', 'also logs, solutions, recordings and screenshots')
    .option('--with-secret', 'also the secret that signs session cookies')
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
  const order = {
    to: to ?? null,
    withEvidence: withEvidence ?? false,
    withSecret: withSecret ?? false,
    keep: keep ?? null,
  }
  const made = await withServerDatabase(() => createBackup(order, CONSOLE_ACTOR))
  const { folder, manifest, removed } = made
  const { counts, files, lacks } = manifest
  for (const { path, problem } of lacks) printError(`left out: ${path} ${problem}`)
  for (const name of removed) printError(`removed the older ${name}`)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (json) printJson({ folder, files: files.length, bytes, counts, lacks, removed })
  else
    printText(
      `${folder}: ${describeFiles(files.length, bytes)}, ${countOf(counts.episodes, 'episode')}`,
    )
}

function list({ in: place, json }: Json & { in?: string }): void {
  const from = backupFolder(place)
  const backups = listBackups(from)
  if (json) printJson({ backups })
  else if (backups.length === 0)
    printText(`no complete backup in ${from}; to make one: npx proofboard backup create`)
  for (const { folder, bytes, counts } of json ? [] : backups)
    printText(`${folder}: ${formatBytes(bytes)}, ${countOf(counts.episodes, 'episode')}`)
}

async function verify(folder: string, { json }: Json): Promise<void> {
  const { ok, manifest, problems } = await verifyBackup(resolve(folder))
  if (!ok) process.exitCode = 1
  printProblems(problems)
  const { counts, createdAt, ledgerHead } = manifest
  if (json) return printJson({ ok, createdAt, counts, ledgerHead, problems })
  const held = `${countOf(counts.episodes, 'episode')}, ledger head ${ledgerHead?.hash ?? '(none)'}`
  printText(
    ok
      ? `complete, of ${createdAt}: ${held}`
      : `DAMAGED in ${countOf(problems.length, 'place')}: ${held}`,
  )
}

async function restore(folder: string, { into, json }: Json & { into: string }): Promise<void> {
  const { manifest, migrated, into: target } = await restoreBackup(resolve(folder), into)
  for (const name of migrated) printError(`migrated: ${name}`)
  if (!manifest.holds.authSecret)
    printError('the backup has no auth-secret: all users must sign in again')
  if (!manifest.holds.evidence) printError('the backup has no evidence: episodes have no logs')
  if (json) return printJson({ into: target, counts: manifest.counts, migrated })
  printText(`${target}: ${manifest.counts.episodes} episodes of ${manifest.createdAt}`)
  // With DATABASE_URL the server would start on the database that it has now.
  const without = env().database === env().databaseFile ? '' : 'without DATABASE_URL: '
  printError(`start it with ${without}PROOFBOARD_DATA_DIR=${target} npm start`)
}

function whole(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 10_000) return value
  throw new InvalidArgumentError('expected a whole number from 1')
}

type Options = { dryRun?: boolean; verify?: boolean; json?: boolean }

/** `proofboard retention`: prune logs now, say what would go, or check what is there. */
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
      '\nExample: PROOFBOARD_KEEP_LOGS_DAYS=90 npx proofboard retention --dry-run',
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
  const { whole, pruned, problems } = found
  printText(`${whole} files verified, ${pruned} pruned, ${problems.length} problems`)
}

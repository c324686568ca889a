import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, CommanderError } from 'commander'
import { formatPathError, formatUsageError, inheritSettings } from '#lib/domain/runs/index.ts'
import { settleEnv } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import type { StartSite } from '#lib/server/static/export-site.ts'
import { addAccountsCommand, addOidcCommand } from './accounts-command.ts'
import { addBackupCommand, addRetentionCommand } from './backup-command.ts'
import { addBoardCommand } from './board-command.ts'
import { addLaunchCommand } from './launch-command.ts'
import { addLedgerCommand } from './ledger-command.ts'
import { printError } from './output.ts'
import { addQueueCommand } from './queue-command.ts'
import { addDatabaseCommand, addEvidenceCommand } from './storage-commands.ts'
import { addTokensCommand } from './tokens-command.ts'

/** The server's command line: argv in, exit code out. 2 = a usage error in one line, 1 = a check failed. */
export async function main(
  argv: readonly string[],
  services: { startSite: StartSite },
): Promise<void> {
  const program = new Command('proofboard')
    .description('Commands of a Proofboard server; see proofboard --help for all.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError()
  try {
    settleEnv(findRoot(dirname(fileURLToPath(import.meta.url))))
    // What it writes is ours alone, except an archive, which is made to be published.
    if (argv[2] !== 'board') process.umask(0o077)
    addLedgerCommand(program)
    addBoardCommand(program, services)
    addBackupCommand(program)
    addDatabaseCommand(program)
    addAccountsCommand(program)
    addOidcCommand(program)
    addTokensCommand(program)
    addQueueCommand(program)
    addLaunchCommand(program)
    addRetentionCommand(program)
    addEvidenceCommand(program)
    inheritSettings(program)
    await program.parseAsync([...argv])
  } catch (error) {
    process.exitCode = tell(error)
  }
}

const USAGE = new Set<AppError['code']>(['invalid-request', 'bad-configuration'])

function tell(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    printError(
      formatUsageError(error, 'proofboard --help, or for example proofboard backup --help'),
    )
    return 2
  }
  if (error instanceof AppError) {
    printError(error.message)
    return USAGE.has(error.code) ? 2 : 1
  }
  const unusable = formatPathError(error as NodeJS.ErrnoException)
  if (unusable !== null) {
    printError(unusable)
    return 2
  }
  const { stack, message } = error as Error
  printError(`proofboard failed unexpectedly, please report this bug: ${stack ?? message}`)
  return 1
}

/** The clone: the nearest folder above this code, bundled or not, that has the migrations. */
function findRoot(from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'prisma')) && existsSync(join(folder, 'package.json')))
      return folder
  }
  return process.cwd()
}

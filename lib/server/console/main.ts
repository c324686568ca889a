import { Command, CommanderError } from 'commander'
import {
  findEmptyValue,
  formatPathError,
  formatUsageError,
  inheritSettings,
  refusalAnswer,
} from '#lib/domain/runs/index.ts'
import { settleEnv } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { explainTemporaryFolder } from '#lib/setup/folders.mjs'
import { addAccountsCommand, addOidcCommand } from './accounts-command.ts'
import { addBackupCommand, addRetentionCommand } from './backup-command.ts'
import { addBoardCommand } from './board-command.ts'
import { addLaunchCommand } from './launch-command.ts'
import { addLedgerCommand } from './ledger-command.ts'
import { printError, printJson } from './output.ts'
import { addQueueCommand } from './queue-command.ts'
import { addDatabaseCommand, addEvidenceCommand } from './storage-commands.ts'
import { addTokensCommand } from './tokens-command.ts'

/** The server's command line: argv in, exit code out. 2 = a usage error in one line, 1 = a check failed. */
export async function main(argv: readonly string[], { root }: { root: string }): Promise<void> {
  const program = new Command('proofboard server')
    .description('Commands of the server whose data folder is used here.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError()
    .hook('preAction', (_, command) => {
      const empty = findEmptyValue(command)
      if (empty !== null) throw new AppError('invalid-request', empty.message)
      const problem = explainTemporaryFolder()
      if (problem !== null) throw new AppError('bad-configuration', problem)
    })
  try {
    settleEnv(root)
    // Its files are readable only by their owner, except an archive, which is meant to be published.
    if (argv[2] !== 'board') process.umask(0o077)
    addLedgerCommand(program)
    addBoardCommand(program)
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
    const failure = describeFailure(error)
    process.exitCode = failure.exitCode
    if (failure.exitCode === 0) return
    printError(failure.text)
    if (argv.includes('--json')) printJson(refusalAnswer(failure.message))
  }
}

const USAGE = new Set<AppError['code']>(['invalid-request', 'bad-configuration'])

/** Formats an error for stderr and for programs; exit code 0 = it only printed its help. */
function describeFailure(error: unknown): { exitCode: number; text: string; message: string } {
  const known = (exitCode: number, message: string) => ({ exitCode, text: message, message })
  if (error instanceof CommanderError) {
    const help = 'proofboard server --help, or for example proofboard server backup --help'
    return known(error.exitCode === 0 ? 0 : 2, formatUsageError(error, help))
  }
  if (error instanceof AppError) return known(USAGE.has(error.code) ? 2 : 1, error.message)
  const unusable = formatPathError(error as NodeJS.ErrnoException)
  if (unusable !== null) return known(2, unusable)
  const { name, stack, message } = error as Error
  if (name === 'SetupFailure') return known(1, message)
  const bug = 'proofboard failed unexpectedly, please report this bug'
  return { exitCode: 1, text: `${bug}: ${stack ?? message}`, message: `${bug}: ${message}` }
}

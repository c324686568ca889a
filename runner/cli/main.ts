import { Command, CommanderError } from 'commander'
import { formatUsageError, inheritSettings, type OptionRefusal } from '#lib/domain/runs/index.ts'
import { runnerVersion } from '../engine/resolve-environment.ts'
import { isRunnerError } from '../runner-error.ts'
import { addAgentsCommand, addSubjectsCommand } from './agents-command.ts'
import { addAuditCommand } from './audit-command.ts'
import { addJudgeCommand } from './judge-command.ts'
import { addLibrariesCommand } from './libraries-command.ts'
import { addModelServerCommand } from './model-server-command.ts'
import { printJsonResult, writeError } from './output.ts'
import { addPlanCommand } from './plan-command.ts'
import { addProvidersCommand } from './providers-command.ts'
import { addPublishCommand } from './publish-command.ts'
import { addEvaluateCommand, addRegradeCommand } from './regrade-commands.ts'
import { addCheckCommand, addExportCommand, addSummaryCommand } from './result-commands.ts'
import { addRunCommand } from './run-command.ts'
import { addBrowserCommand, addDoctorCommand, addImageCommand } from './setup-commands.ts'
import { addMergeCommand, addShardsCommand } from './shard-commands.ts'
import { addSubmitCommand } from './submit-command.ts'
import { addSuiteCommand } from './suite-command.ts'

/**
 * The command line: argv in, exit code out. 2 = a usage error in one line, 1 = void episodes or a machine failure.
 * `elsewhere` are commands that the launcher forwards to another program: here they are only listed.
 */
export async function main(
  argv: readonly string[],
  elsewhere: Readonly<Record<string, string>> = {},
): Promise<void> {
  const program = buildProgram(elsewhere)
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    process.exitCode = tell(error)
    if (argv.includes('--json')) tellRefusals(error)
  }
}

/** The same for programs, option by option, as the last line of stdout. */
function tellRefusals(error: unknown): void {
  if (!isRunnerError(error)) return
  const { message, options } = error
  const about = options.length > 0 ? options : [null]
  const refusals: OptionRefusal[] = about.map((option) => ({ option, message }))
  printJsonResult({ refusals })
}

/** Every command with its options, not yet asked anything. */
export function buildProgram(elsewhere: Readonly<Record<string, string>> = {}): Command {
  const program = new Command('proofboard')
    .version(runnerVersion())
    .description(
      'Runs coding agents on exercises and browser libraries on workflows, and records every attempt as an episode.',
    )
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError()
    .enablePositionalOptions()
  for (const add of [
    addRunCommand,
    addRegradeCommand,
    addEvaluateCommand,
    addPlanCommand,
    addSuiteCommand,
    addAuditCommand,
    addAgentsCommand,
    addProvidersCommand,
    addLibrariesCommand,
    addExportCommand,
    addBrowserCommand,
    addMergeCommand,
    addShardsCommand,
    addSummaryCommand,
    addSubjectsCommand,
    addCheckCommand,
    addJudgeCommand,
    addPublishCommand,
    addSubmitCommand,
    addModelServerCommand,
    addDoctorCommand,
    addImageCommand,
  ])
    add(program)
  for (const [name, text] of Object.entries(elsewhere))
    program.command(name).description(text).helpGroup('Commands of the server:')
  inheritSettings(program)
  return program
}

function tell(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    writeError(formatUsageError(error, 'proofboard --help'))
    return 2
  }
  if (isRunnerError(error)) {
    writeError(error.message)
    return error.exitCode
  }
  return tellTrouble(error as NodeJS.ErrnoException)
}

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST'])

// A file of ours that is missing when read is our bug, not a place that cannot be written.
const WRITING = new Set(['mkdir', 'open', 'rename', 'write', 'fsync'])

function callOf(error: NodeJS.ErrnoException): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined
  return error.syscall ?? cause?.syscall ?? ''
}

function tellTrouble(error: NodeJS.ErrnoException): number {
  const code = error.code ?? (error.cause as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ENOSPC')
    writeError(
      `the disk is full (${error.message}): finished episodes are kept; free disk space and run the same command again`,
    )
  else if (code && UNWRITABLE.has(code) && WRITING.has(callOf(error)))
    writeError(`cannot write there (${error.message}): choose another --out or PROOFBOARD_DATA_DIR`)
  else
    writeError(
      `proofboard failed unexpectedly, please report this bug: ${error.stack ?? error.message}`,
    )
  return 1
}

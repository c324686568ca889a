import { Command, CommanderError } from 'commander'
import { plainText } from '#lib/domain/record/index.ts'
import {
  formatPathError,
  formatUsageError,
  inheritSettings,
  type OptionRefusal,
} from '#lib/domain/runs/index.ts'
import { runnerVersion } from '../engine/resolve-environment.ts'
import { isRunnerError, type RunnerError, usageError } from '../runner-error.ts'
import { addAgentsCommand, addSubjectsCommand } from './agents-command.ts'
import { addAuditCommand } from './audit-command.ts'
import { addCompareCommand } from './compare-command.ts'
import { addGithubCommand } from './github-command.ts'
import { addInitCommand } from './init-command.ts'
import { addJudgeCommand } from './judge-command.ts'
import { addLibrariesCommand } from './libraries-command.ts'
import { addMcpCommand } from './mcp-command.ts'
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
import { addTasksCommand } from './tasks-command.ts'
import { addViewCommand } from './view-command.ts'
import { addWorkCommand } from './work-command.ts'

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
    .hook('preAction', (_, command) => refuseEmpty(command))
  for (const add of [
    addRunCommand,
    addRegradeCommand,
    addEvaluateCommand,
    addPlanCommand,
    addSuiteCommand,
    addTasksCommand,
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
    addCompareCommand,
    addViewCommand,
    addGithubCommand,
    addInitCommand,
    addPublishCommand,
    addSubmitCommand,
    addWorkCommand,
    addMcpCommand,
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

/** An unset shell variable would name the current folder by mistake. */
function refuseEmpty(command: Command): void {
  const isEmpty = (value: unknown) => typeof value === 'string' && value.trim() === ''
  for (const option of command.options) {
    const flag = option.long ?? option.flags
    if ([command.getOptionValue(option.attributeName())].flat().some(isEmpty))
      throw usageError(`${flag} is empty: give it a value, or leave it out`, flag)
  }
  if (command.args.some(isEmpty))
    throw usageError('an argument is empty: check the variables that it is made of')
}

function tell(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    writeError(plainText(formatUsageError(error, 'proofboard --help')))
    return 2
  }
  if (isRunnerError(error)) {
    writeError(plainLines(error))
    return error.exitCode
  }
  return reportFailure(error as NodeJS.ErrnoException)
}

/** A refusal repeats what was typed, which may hold line breaks and escapes; of suites and machines there are several lines. */
function plainLines({ kind, message }: RunnerError): string {
  const isOneSentence = kind === 'usage' || kind === 'subject'
  return isOneSentence ? plainText(message) : message.split('\n').map(plainText).join('\n')
}

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST', 'EISDIR'])

// A file of ours that is missing when read is our bug, not a place that cannot be written.
const WRITING = new Set(['mkdir', 'open', 'rename', 'write', 'fsync'])

function callOf(error: NodeJS.ErrnoException): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined
  return error.syscall ?? cause?.syscall ?? ''
}

function reportFailure(error: NodeJS.ErrnoException): number {
  const unusable = formatPathError(error)
  if (unusable !== null) {
    writeError(plainText(unusable))
    return 2
  }
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

import { Command, CommanderError } from 'commander'
import { BrowserError } from '../browser/browser-pool.ts'
import { BrokenEnvelopeError } from '../engine/envelopes.ts'
import { harnessVersion } from '../engine/resolve-environment.ts'
import { FolderHeldError } from '../engine/run-folder.ts'
import { ImageError } from '../sandbox/isolation/docker/docker-client.ts'
import { NoNodeError } from '../sandbox/process/node-program.ts'
import { AgentError } from '../subjects/agents/agent-definition.ts'
import { SuiteError } from '../suites/find-suite.ts'
import { addAgentsCommand, addSubjectsCommand } from './agents-command.ts'
import { addAuditCommand } from './audit-command.ts'
import { addLibrariesCommand } from './libraries-command.ts'
import { addModelServerCommand } from './model-server-command.ts'
import { complain, PlaceError, UsageError } from './output.ts'
import { addPlanCommand } from './plan-command.ts'
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
  }
}

/** Every command with its options, not yet asked anything. */
export function buildProgram(elsewhere: Readonly<Record<string, string>> = {}): Command {
  const program = new Command('proofboard')
    .version(harnessVersion())
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
    addLibrariesCommand,
    addExportCommand,
    addBrowserCommand,
    addMergeCommand,
    addShardsCommand,
    addSummaryCommand,
    addSubjectsCommand,
    addCheckCommand,
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

/** Sub-commands do not take over how their parent ends and prints. */
function inheritSettings(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command)
    inheritSettings(child)
  }
}

function tell(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    complain(
      error.code === 'commander.help'
        ? 'missing command: see proofboard --help'
        : error.message
            .replace(/^error: /, '')
            .replace(/\n\(Did you mean (.*)\?\)/s, ': did you mean $1?'),
    )
    return 2
  }
  if (
    error instanceof UsageError ||
    error instanceof SuiteError ||
    error instanceof AgentError ||
    error instanceof BrowserError
  ) {
    complain(error.message)
    return 2
  }
  if (
    error instanceof PlaceError ||
    error instanceof NoNodeError ||
    error instanceof ImageError ||
    error instanceof FolderHeldError ||
    error instanceof BrokenEnvelopeError
  ) {
    complain(error.message)
    return 1
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
    complain(
      `the disk is full (${error.message}): finished episodes are kept; free disk space and run the same command again`,
    )
  else if (code && UNWRITABLE.has(code) && WRITING.has(callOf(error)))
    complain(`cannot write there (${error.message}): choose another --out or PROOFBOARD_DATA_DIR`)
  else
    complain(
      `proofboard failed unexpectedly, please report this bug: ${error.stack ?? error.message}`,
    )
  return 1
}

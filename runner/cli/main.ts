import { Command, Help } from 'commander'
import { findEmptyValue, inheritSettings, refusalAnswer } from '#lib/domain/runs/index.ts'
import { isTimeZone } from '#lib/domain/text/index.ts'
import { explainTemporaryFolder } from '#lib/setup/folders.mjs'
import { runnerVersion } from '../engine/resolve-environment.ts'
import { placeError, usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { addAgentsCommand, addSubjectsCommand } from './agents-command.ts'
import { describeFailure } from './describe-failure.ts'
import { addDoctorCommand } from './doctor-command.ts'
import { EXTRA_COMMANDS } from './extra-commands.ts'
import { addInitCommand } from './init-command.ts'
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
import { addBrowserCommand, addImageCommand } from './setup-commands.ts'
import { addMergeCommand, addShardsCommand } from './shard-commands.ts'
import { addSubmitCommand } from './submit-command.ts'
import { addSuiteCommand } from './suite-command.ts'
import { addViewCommand } from './view-command.ts'
import { addWorkCommand } from './work-command.ts'

/**
 * Runs the command line and returns the exit code: 2 = a usage error in one line, 1 = excluded episodes or a machine
 * failure. `elsewhere` are commands that the launcher forwards to another program; they are only listed here.
 */
export async function main(
  argv: readonly string[],
  elsewhere: Readonly<Record<string, string>> = {},
): Promise<void> {
  const isWhole = argv.includes(HELP_ALL)
  const program = buildProgram(elsewhere, isWhole)
  try {
    await program.parseAsync(argv.map((word) => (word === HELP_ALL ? '--help' : word)))
  } catch (error) {
    const failure = describeFailure(error)
    process.exitCode = failure.exitCode
    if (failure.exitCode === 0) return
    writeError(failure.text)
    if (argv.includes('--json')) printJsonResult(refusalAnswer(failure.message, failure.options))
  }
}

const HELP_ALL = '--help-all'

/** Builds the command tree; parses nothing. `isWhole` = help includes rarely needed commands and options. */
export function buildProgram(
  elsewhere: Readonly<Record<string, string>> = {},
  isWhole = false,
): Command {
  const program = new Command('proofboard')
    .version(runnerVersion())
    .description(
      'Runs coding agents on exercises and browser libraries on workflows, and records every attempt as an episode.',
    )
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .hook('preAction', (_, command) => {
      refuseEmpty(command)
      requireTemporaryFolder(command)
      requireTimeZone()
    })
  for (const add of [
    addRunCommand,
    addRegradeCommand,
    addEvaluateCommand,
    addPlanCommand,
    addSuiteCommand,
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
    addViewCommand,
    addInitCommand,
    addPublishCommand,
    addSubmitCommand,
    addWorkCommand,
    addModelServerCommand,
    addDoctorCommand,
    addImageCommand,
    ...EXTRA_COMMANDS,
  ])
    add(program)
  const names = Object.keys(elsewhere).join(', ')
  if (names !== '') program.command('server').description(`commands of the server: ${names}`)
  program.configureHelp(isWhole ? {} : shortHelp(program))
  inheritSettings(program)
  return program
}

/** Steps of workflows, and commands started by other commands. */
const PLUMBING = new Set([
  'regrade',
  'evaluate',
  'browser',
  'merge',
  'shards',
  'summary',
  'subjects',
  'judge',
  'github',
  'work',
  'model-server',
  'image',
])

/** Rarely needed options, of all commands or of one. */
const RARE_OPTIONS = new Set([
  '--command',
  '--arms',
  '--temperature',
  '--effort',
  '--config',
  '--all-agents',
  '--all-libraries',
  '--print-instructions',
  '--submit',
  '--top-up',
  'plan --register',
  'plan --plan',
  'submit --plan',
  '--escrow',
  '--rehearsal',
  'mine --copy',
  'mine --self-contained',
  'mine --no-self-contained',
  'mine --most-files',
  'mine --most-lines',
  '--agent-file',
  '--library-file',
  '--provider-file',
  '--name',
  '--subject-version',
  '--dataset',
  '--exercise',
  '--pins',
  '--price',
  '--login',
  '--memory',
  '--processes',
  '--disk',
  '--env',
  '--seed',
  '--fault',
  '--browser',
  '--custom-instruction',
  '--tasks-of',
  '--script',
  '--record',
  '--replay',
  '--shard',
  '--run-id',
  '--registration',
  '--events',
  '--stop-with-stdin',
  '--smallest-difference',
  '--stop-error',
  '--for',
  '--past',
  '--runnable',
  '--per-task',
  '--samples',
  '--digest',
  '--to',
  '--output-file',
  '--expected',
  '--again',
  '--auth',
  '--audience',
  '--tries',
  '--insecure',
])

/** Shortens the help to a screen, with a hint how to see the rest. */
function shortHelp(program: Command): Partial<Help> {
  const whole = new Help()
  const isRare = (command: Command, { long }: { long?: string | undefined }) =>
    RARE_OPTIONS.has(long ?? '') || RARE_OPTIONS.has(`${command.name()} ${long}`)
  program.addHelpText('afterAll', ({ command }) => {
    const hasMore =
      command.parent === null || command.options.some((option) => isRare(command, option))
    return hasMore ? '\nMore: add --help-all' : ''
  })
  return {
    visibleCommands: (command) =>
      whole
        .visibleCommands(command)
        .filter((one) => command.parent !== null || !PLUMBING.has(one.name())),
    visibleOptions: (command) =>
      whole.visibleOptions(command).filter((one) => !isRare(command, one)),
  }
}

/** Programs silently read an unknown time zone as UTC. */
function requireTimeZone(): void {
  const { TZ } = RUNNER_ENV
  if (!TZ || isTimeZone(TZ)) return
  throw usageError(`TZ=${TZ} is not a time zone: set a name such as Europe/Berlin, or remove TZ`)
}

/** Checked before anything is planned or started; `doctor` reports it among its findings. */
function requireTemporaryFolder(command: Command): void {
  const isDoctor = command.name() === 'doctor' && command.parent?.parent === null
  const problem = isDoctor ? null : explainTemporaryFolder()
  if (problem !== null) throw placeError(problem)
}

function refuseEmpty(command: Command): void {
  const empty = findEmptyValue(command)
  if (empty === null) return
  throw usageError(empty.message, ...(empty.option === null ? [] : [empty.option]))
}

import { Command } from 'commander'
import { findEmptyValue, inheritSettings, refusalAnswer } from '#lib/domain/runs/index.ts'
import { explainTemporaryFolder } from '#lib/setup/folders.mjs'
import { runnerVersion } from '../engine/resolve-environment.ts'
import { placeError, usageError } from '../runner-error.ts'
import { addAgentsCommand, addSubjectsCommand } from './agents-command.ts'
import { addAuditCommand } from './audit-command.ts'
import { addCompareCommand } from './compare-command.ts'
import { describeFailure } from './describe-failure.ts'
import { addDoctorCommand } from './doctor-command.ts'
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
import { addBrowserCommand, addImageCommand } from './setup-commands.ts'
import { addMergeCommand, addShardsCommand } from './shard-commands.ts'
import { addSkillCommand } from './skill-command.ts'
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
    const failure = describeFailure(error)
    process.exitCode = failure.exitCode
    if (failure.exitCode === 0) return
    writeError(failure.text)
    if (argv.includes('--json')) printJsonResult(refusalAnswer(failure.message, failure.options))
  }
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
    .hook('preAction', (_, command) => {
      refuseEmpty(command)
      requireTemporaryFolder(command)
    })
  for (const add of [
    addRunCommand,
    addSkillCommand,
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

/** Before anything is planned or started; `doctor` reports it among its findings. */
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

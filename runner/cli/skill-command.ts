import type { Command } from 'commander'
import { SETTINGS } from '#lib/domain/record/index.ts'
import { isSkill } from '../arms/skill.ts'
import { usageError } from '../runner-error.ts'
import { closeInherited } from '../sandbox/process/close-inherited.ts'
import { isFolder } from '../user-files.ts'
import { countOption, nameList, readAs, usdOption } from './options.ts'
import { commandSignal } from './output.ts'
import { type RunOptions, runOne } from './run-command.ts'
import { addStopOptions } from './stop-options.ts'

/** `proofboard skill`: compares one agent with and without a skill, on the same tasks, in one run. */
export function addSkillCommand(program: Command): void {
  addStopOptions(
    program
      .command('skill <folder>')
      .description('measure whether a skill helps an agent: runs it with and without, interleaved'),
  )
    .option('--subject <name>', 'the agent (proofboard agents list)')
    .requiredOption('--model <name>', 'model id of the provider')
    .option('--provider <name>', 'model provider (default: first with an API key)')
    .option('--suite <name|path>', 'tasks to measure on', 'typescript')
    .option('--tasks <a,b>', 'only these tasks', nameList)
    .option('--first <n>', 'only the first tasks', countOption('--first'))
    .option('--repetitions <n>', 'episodes per task and arm', countOption('--repetitions'), 3)
    .option(
      '--max-cost <usd>',
      'cost limit of one episode in US dollars (default: 2)',
      usdOption('--max-cost'),
    )
    .option(
      '--price <in/out>',
      'price of a model that is not in the price table, or free',
      readAs('--price', SETTINGS.price.kind),
    )
    .option(
      '--spend-cap <usd>',
      'cost limit of the run in US dollars; raise it to continue a stopped run',
      usdOption('--spend-cap'),
    )
    .option('--concurrency <n>', 'concurrent episodes', countOption('--concurrency', 64), 1)
    .option('--agent-file <agent.yaml>', 'a custom agent definition')
    .option('--provider-file <providers.yaml>', 'providers of your own')
    .option('--script <solve|file.json>', 'with --model scripted: the script (default: solve)')
    .option('--out <dir>', 'output folder; continues an unfinished run')
    .option('--json', 'print one JSON object as the last line of stdout')
    .addHelpText(
      'after',
      `
Example:
  proofboard skill ./my-skill --subject claude --model claude-sonnet-5 --first 10

The first lines of the result say what the skill changes, with its interval. "proofboard run --arm" has more options.`,
    )
    .action(async (folder: string, options: RunOptions) => {
      closeInherited()
      process.umask(0o077) // other users must not read the files of a run
      refuseOthers(folder)
      const signal = commandSignal({ stopWithStdin: false })
      await runOne({ ...options, arm: [folder] }, signal)
    })
}

function refuseOthers(folder: string): void {
  if (!isFolder(folder)) throw usageError(`${folder} is not a folder: name that of the skill`)
  if (!isSkill(folder))
    throw usageError(
      `${folder} has no SKILL.md, so it is not a skill: use "proofboard run --arm ${folder}" for other files`,
    )
}

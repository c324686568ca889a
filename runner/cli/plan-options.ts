import type { Command } from 'commander'
import { isolationOption, nameList, seedOption, wholeNumber } from './options.ts'

/** The options that shape a plan, shared by `plan` and `run`. */
export function addPlanOptions(command: Command): Command {
  return command
    .option('--suite <name|path>', 'suite to run, by name or folder')
    .option('--subject <name>', 'what is measured: reference, nop, wrong, flaky, cheater, command')
    .option(
      '--command <shell command>',
      'start this command as the agent; the prompt is in $PROOFBOARD_PROMPT_FILE',
    )
    .option('--name <name>', 'the name of the agent started by --command')
    .option('--subject-version <version>', 'the exact version of the agent started by --command')
    .option('--tasks <a,b>', 'only these tasks', nameList)
    .option('--repetitions <n>', 'episodes a task', wholeNumber('--repetitions'), 1)
    .option(
      '--timeout <seconds>',
      'time an episode may take',
      wholeNumber('--timeout', 86_400),
      600,
    )
    .option(
      '--isolation <level>',
      'walls around the agent: local (none, the default), bubblewrap, docker',
      isolationOption,
    )
    .option('--seed <n>', 'seed of what the harness draws by chance', seedOption, 1)
}

import type { Command } from 'commander'
import { UsageError } from './cli-error.ts'
import {
  browserOption,
  faultOption,
  isolationOption,
  nameList,
  seedOption,
  temperature,
  usDollars,
  wholeNumber,
} from './options.ts'

/** What keeps an episode in bounds and makes it repeatable: options that `--pins` takes all at once. */
const PINS = ['max-steps', 'max-tokens', 'max-cost', 'temperature', 'timeout', 'seed']

/** The options that shape a plan, shared by `plan` and `run`. */
export function addPlanOptions(command: Command): Command {
  // Each pin is handed to its own option, which reads and refuses it as if it had been typed.
  command.on('option:pins', (text: string) => {
    for (const [name, value] of readPins(text)) {
      const option = command.options.find(({ long }) => long === `--${name}`)
      const read = option?.parseArg?.(value, undefined as unknown)
      if (option) command.setOptionValueWithSource(option.attributeName(), read, 'cli')
    }
  })
  return addAgentOptions(command)
    .option('--pins <name=value,...>', `several limits at once: ${PINS.join(', ')}`)
    .option('--tasks <a,b>', 'only these tasks', nameList)
    .option('--repetitions <n>', 'episodes per task', wholeNumber('--repetitions'), 1)
    .option('--timeout <seconds>', 'time limit per episode', wholeNumber('--timeout', 86_400), 600)
    .option(
      '--isolation <level>',
      'sandbox of the agent: auto (strongest available, default), bubblewrap, docker, local (no sandbox, not ranked)',
      isolationOption,
    )
    .option('--seed <n>', 'seed of the random choices of the harness', seedOption, 1)
}

function addAgentOptions(command: Command): Command {
  return command
    .option('--suite <name|path>', 'suite to run, by name or folder')
    .option(
      '--subject <name>',
      'subject to measure: an agent (proofboard agents list), a browser library (proofboard libraries), reference, nop, wrong, flaky, cheater, command',
    )
    .option('--agent-file <agent.yaml>', 'a custom agent definition')
    .option('--model <name>', 'model id of the provider')
    .option('--provider <name>', 'model provider (default: first with an API key)')
    .option('--max-steps <n>', 'model responses per episode', wholeNumber('--max-steps', 100_000))
    .option('--max-tokens <n>', 'tokens per episode', wholeNumber('--max-tokens', 1e12))
    .option('--max-cost <usd>', 'cost per episode in US dollars', usDollars('--max-cost'))
    .option(
      '--fault <kind>',
      'inject a fault: between agent and model rate-limit@2, cut-stream@1x3, …; in a browser task stall, overlay, …',
      faultOption,
    )
    .option(
      '--browser <reused|cold>',
      'browser suites: reuse one browser (default), or launch one per episode',
      browserOption,
    )
    .option('--temperature <t>', 'a number, or provider-fixed', temperature)
    .option(
      '--command <shell command>',
      'start this command as the agent; the prompt is in $PROOFBOARD_PROMPT_FILE',
    )
    .option('--name <name>', 'the name of the agent started by --command')
    .option('--subject-version <version>', 'the exact version of the agent started by --command')
}

function readPins(text: string): [string, string][] {
  const pins = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((pin) => pin.split('='))
  const names = pins.map(([name = '']) => name)
  for (const [name = '', value = '', ...more] of pins) {
    if (PINS.includes(name) && value !== '' && more.length === 0) continue
    throw new UsageError(
      `--pins must be name=value separated by commas, with the names ${PINS.join(', ')}, not "${[name, value, ...more].filter(Boolean).join('=').slice(0, 60)}"`,
    )
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw new UsageError(`--pins contains ${twice} twice`)
  return pins as [string, string][]
}

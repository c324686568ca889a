import { randomBytes } from 'node:crypto'
import { type Command, Option } from 'commander'
import { PROVENANCE_LEVELS } from '#lib/domain/record/episode-fact.ts'
import { type Settings, settingsSchema } from '#lib/domain/record/plan.ts'
import { UsageError } from './output.ts'

/** Parsers for option values: each answers with the value or throws a UsageError that says what to write. */

export function wholeNumber(name: string, most = 1000): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (Number.isInteger(value) && value >= 1 && value <= most) return value
    throw new UsageError(`${name} must be a whole number from 1 to ${most}, not "${text}"`)
  }
}

export function nameList(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.length === 0) throw new UsageError('--tasks must be task names separated by commas')
  return [...new Set(names)]
}

export function shard(text: string): { index: number; count: number } {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(text)
  const index = Number(match?.[1])
  const count = Number(match?.[2])
  if (match && index >= 1 && index <= count) return { index, count }
  throw new UsageError(`--shard must be i/n with 1 <= i <= n, for example 3/8, not "${text}"`)
}

export function runIdOption(text: string): string {
  if (/^run_[0-9a-z]{8,40}$/.test(text)) return text
  throw new UsageError('--run-id must be run_ followed by 8 to 40 lower-case letters or digits')
}

/** A name that no other run has. */
export function freshRunId(): string {
  return `run_${Date.now().toString(36)}${randomBytes(4).toString('hex')}`
}

/** `auto` = the strongest level of this machine, which is also what no option means. */
export type AskedIsolation = Settings['isolation'] | 'auto'

export function isolationOption(text: string): AskedIsolation {
  if (text === 'auto') return text
  const level = settingsSchema.shape.isolation.safeParse(text)
  if (level.success) return level.data
  const levels = ['auto', ...settingsSchema.shape.isolation.options]
  throw new UsageError(`--isolation must be one of ${levels.join(', ')}, not "${text}"`)
}

function seedOption(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new UsageError(`--seed must be a whole number, not "${text}"`)
}

/** US dollars as whole millionths, so that no rounding hides in a budget. */
export function usDollars(name: string): (text: string) => number {
  return (text) => {
    const value = Math.round(Number(text) * 1e6)
    if (/^\d{1,9}(\.\d{1,6})?$/.test(text) && value > 0) return value
    throw new UsageError(
      `${name} must be an amount in US dollars above 0, for example 0.50, not "${text}"`,
    )
  }
}

function temperature(text: string): number | 'provider-fixed' {
  if (text === 'provider-fixed') return text
  const value = Number(text)
  if (/^\d(\.\d+)?$/.test(text) && value <= 2) return value
  throw new UsageError(
    `--temperature must be a number from 0 to 2 or provider-fixed, not "${text}"`,
  )
}

/** Which faults there are depends on the suite: here only the form is looked at. */
function faultOption(text: string): string {
  const trimmed = text.trim()
  if (/^[a-z][a-z0-9@,=-]{0,99}$/.test(trimmed)) return trimmed
  throw new UsageError(
    `--fault must be kind@step for an agent, for example rate-limit@2, or a kind for a browser suite, for example stall, not "${text.slice(0, 60)}"`,
  )
}

function browserOption(text: string): 'reused' | 'cold' {
  if (text === 'reused' || text === 'cold') return text
  throw new UsageError(`--browser must be reused or cold, not "${text.slice(0, 60)}"`)
}

/** `--as`: the same question wherever the headline gate is asked. */
export function provenanceOption(): Option {
  return new Option('--as <provenance>', 'assumed provenance of the results')
    .choices(PROVENANCE_LEVELS)
    .default('token')
}

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

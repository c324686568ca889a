import { randomBytes } from 'node:crypto'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import { type Digest, digestSchema } from '#lib/domain/digest/index.ts'
import { isRunId, PROVENANCE_LEVELS } from '#lib/domain/record/index.ts'
import {
  DOLLARS,
  expectedOf,
  OPTION_LIST,
  PIN_LIST,
  readSetting,
  SETTINGS,
  type Settings,
  settingsSchema,
  type TextKind,
  type TextValue,
  wholeNumber,
} from '#lib/domain/settings/index.ts'
import { usageError } from '../runner-error.ts'
import { isFile } from '../user-files.ts'
import { readInputFile } from './input-files.ts'

/** Parses the value of an option. Throws a RunnerError that says what to write. */
export function readAs<T extends TextValue>(flag: string, kind: TextKind<T>): (text: string) => T {
  return (text) => {
    const value = kind.read(text)
    if (value !== null) return value
    throw usageError(`${flag} must be ${kind.expected}, not "${text.slice(0, 60)}"`, flag)
  }
}

export function countOption(flag: string, max = 1000): (text: string) => number {
  return readAs(flag, wholeNumber(max))
}

/** A port of this machine; 0 = a free one. */
export const portOption = readAs('--port', wholeNumber(65_535, 0))

export function usdOption(flag: string): (text: string) => number {
  return readAs(flag, DOLLARS)
}

export const isolationOption = readAs('--isolation', SETTINGS.isolation.kind)

export function nameList(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.length === 0) throw usageError('--tasks must be task names separated by commas')
  return [...new Set(names)]
}

/** `--env`: variables that tasks are given. */
export function envOption(): Option {
  const what = 'give tasks that ask for it this variable of your environment; may be repeated'
  return new Option('--env <NAME>', what).argParser((name: string, before: string[] = []) => [
    ...new Set([...before, name]),
  ])
}

export function shard(text: string): { index: number; count: number } {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(text)
  const index = Number(match?.[1])
  const count = Number(match?.[2])
  if (match && index >= 1 && index <= count) return { index, count }
  throw usageError(`--shard must be i/n with 1 <= i <= n, for example 3/8, not "${text}"`)
}

export function runIdOption(text: string): string {
  if (isRunId(text)) return text
  throw usageError('--run-id must be run_ followed by 8 to 40 lower-case letters or digits')
}

/** Hashes of ledger entries, collected. */
export function registrationOption(text: string, earlier: Digest[] = []): Digest[] {
  const parsed = digestSchema.safeParse(text)
  if (parsed.success) return [...earlier, parsed.data]
  throw usageError('--registration must be sha256: and 64 hexadecimal digits')
}

const AGENT_VERSION = /^(path|\d+\.\d+[0-9A-Za-z.+-]{0,60})$/

function agentVersionOption(text: string): string {
  if (AGENT_VERSION.test(text)) return text
  throw usageError(
    `--agent-version must be an exact version such as 2.1.330, or path, not "${text.slice(0, 60)}"`,
    '--agent-version',
  )
}

/** Returns a unique run id. */
export function freshRunId(): string {
  return `run_${Date.now().toString(36)}${randomBytes(4).toString('hex')}`
}

/** `auto` = the strongest level of this machine, which is also the default. */
export type RequestedIsolation = Settings['isolation'] | 'auto'

const askedSettingsSchema = settingsSchema
  .extend({ isolation: z.union([settingsSchema.shape.isolation, z.literal('auto')]) })
  .partial()

/** The settings from options, or the command line's defaults. */
export type RequestedSettings = z.infer<typeof askedSettingsSchema>

/** A setting that was given as `none`: commander makes an empty text of null. */
const NONE = Symbol('none')

/** Extracts the settings from a command's options, which are named after their flags. */
export function readSettings(options: object): RequestedSettings {
  const given = new Map(Object.entries(options))
  const requested = OPTION_LIST.flatMap(({ key, option }) => {
    const value = given.get(attributeOf(option.flag))
    return value === undefined ? [] : [[key, value === NONE ? null : value]]
  })
  return askedSettingsSchema.parse(Object.fromEntries(requested))
}

/** Returns commander's name of an option: `--max-steps` as `maxSteps`. */
export function attributeOf(flag: string): string {
  return new Option(flag).attributeName()
}

/** `--as`: the same option wherever eligibility is checked. */
export function provenanceOption(): Option {
  return new Option('--as <provenance>', 'assumed provenance of the results')
    .choices(PROVENANCE_LEVELS)
    .default('token')
}

/** The options that shape a plan, shared by `plan` and `run`. */
export function addPlanOptions(command: Command): Command {
  // Each pin is passed to its own option, which parses and rejects it like a typed one.
  command.on('option:pins', (text: string) => {
    for (const [name, value] of readPins(text)) {
      const option = command.options.find(({ long }) => long === `--${name}`)
      const read = option?.parseArg?.(value, undefined as unknown)
      if (option) command.setOptionValueWithSource(option.attributeName(), read, 'cli')
    }
  })
  addSelectionAliases(addAgentOptions(command))
    .option('--pins <name=value,...>', `several limits at once: ${PINS.join(', ')}`)
    .option('--tasks <a,b>', 'only these tasks', nameList)
    .option('--first <n>', 'only the first tasks, in the suite’s order', countOption('--first'))
    .option('--repetitions <n>', 'episodes per task', countOption('--repetitions'), 1)
    .option(
      '--arms <arms.yaml>',
      'compare treatments of one agent in one interleaved run: skills, rules, MCP servers, prompts, settings, versions',
    )
    .addOption(
      new Option('--arms-as-text', 'files of --arms are texts alone: for a server').hideHelp(),
    )
    .option(
      '--arm <folder|file>',
      'an arm with this folder or file in the workspace, against an empty baseline; may be repeated',
      (path: string, before: string[] = []) => [...before, path],
    )
  for (const setting of OPTION_LIST) command.addOption(settingOption(setting))
  return command
}

/** Names of ts-bench for the suite and its selection: each is passed to our own option. */
function addSelectionAliases(command: Command): Command {
  const set = (name: string, value: unknown) => command.setOptionValueWithSource(name, value, 'cli')
  command.on('option:dataset', (text: string) => set('suite', suiteOfDataset(text)))
  command.on('option:exercise', (text: string) => {
    if (/^\d+$/.test(text)) set('first', countOption('--exercise')(text))
    else set('tasks', nameList(text))
  })
  return command
    .option(
      '--dataset <name>',
      'alias of --suite, as in ts-bench; exercism (or v1) is imported by itself',
    )
    .option('--exercise <n|a,b>', 'a number = --first, names = --tasks, as in ts-bench')
}

function suiteOfDataset(name: string): string {
  if (name === 'v1') return 'exercism'
  if (name !== 'v2') return name
  throw usageError(
    '--dataset v2 (SWE-Lancer) is not read: its tasks run only in that benchmark’s own container image; use exercism, or the name of a suite',
    '--dataset',
  )
}

function settingOption(setting: (typeof OPTION_LIST)[number]): Option {
  const { key, option, kind, fallback } = setting
  const { flag, takes, help } = option
  const read = (text: string) => {
    const value = readSetting(setting, text)
    if (value !== undefined) return value ?? NONE
    throw usageError(`${flag} must be ${expectedOf(setting)}, not "${text.slice(0, 60)}"`, flag)
  }
  const reader = key === 'customInstruction' ? (text: string) => read(textOrFile(text)) : read
  const made = new Option(`${flag} ${takes}`, help).argParser(reader)
  // `--login` alone means its only value.
  if (made.optional) made.preset(takes.slice(1, -1))
  return fallback === null ? made : made.default(fallback, kind.print(fallback))
}

/** Returns the text of the named file, else the text itself. */
function textOrFile(text: string): string {
  return isFile(text) ? readInputFile(text) : text
}

function addAgentOptions(command: Command): Command {
  return command
    .option('--suite <name|path>', 'suite to run, by name or folder')
    .option(
      '--subject <name>',
      'an agent (see agents list), a browser library (see libraries), or a control: reference, nop, wrong, flaky, cheater',
    )
    .option('--agent-file <agent.yaml>', 'a custom agent definition')
    .option('--library-file <library.yaml>', 'a custom MCP server for a browser suite')
    .option('--model <name>', 'model id of the provider')
    .option('--provider <name>', 'model provider (default: first with an API key)')
    .option(
      '--agent-version <version>',
      'exact version, installed if it is missing; path = in PATH',
      agentVersionOption,
    )
    .option(
      '--provider-file <providers.yaml>',
      'providers of your own, or changes to known ones (default: PROOFBOARD_PROVIDERS)',
    )
    .option(
      '--command <shell command>',
      'start this command as the agent; the prompt is in $PROOFBOARD_PROMPT_FILE',
    )
    .option('--name <name>', 'the name of the agent started by --command')
    .option('--subject-version <version>', 'the exact version of the agent started by --command')
}

/** Options that limit an episode and make it repeatable; `--pins` takes all at once. */
const PINS = PIN_LIST.map(({ name }) => name)

function readPins(text: string): [string, string][] {
  const pins = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((pin) => pin.split('='))
  const names = pins.map(([name = '']) => name)
  for (const [name = '', value = '', ...more] of pins) {
    if (PINS.some((pin) => pin === name) && value !== '' && more.length === 0) continue
    throw usageError(
      `--pins must be name=value separated by commas, with the names ${PINS.join(', ')}, not "${[name, value, ...more].filter(Boolean).join('=').slice(0, 60)}"`,
    )
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw usageError(`--pins contains ${twice} twice`)
  return pins as [string, string][]
}

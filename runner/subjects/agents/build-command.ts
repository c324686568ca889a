import { join } from 'node:path'
import type { z } from 'zod'
import type { PromptRecord } from '#lib/domain/record/index.ts'
import type {
  AgentDefinition,
  ArgvElement,
  FileTemplate,
  Protocol,
} from '#lib/domain/runs/index.ts'
import { fillTemplate } from '../../placeholders.ts'
import { escapeToml, fillJson, type PlaceholderValues } from './agent-definition.ts'

/** Endpoint of an agent: the gateway with a dummy key, or its vendor with a real one. */
export type Endpoint = { baseUrl: string | null; key: string }

export type CommandOptions = {
  protocol: Protocol | null
  /** One of the definition's levels; null = the agent's own default. */
  effort: string | null
  /** Configured for the subscription instead of a provider's key. */
  usesLogin: boolean
  /** The provider's name of the model. */
  model: string
  prompt: string
  endpoint: Endpoint
  /** The start command: the program's path, after that of the Node that it needs. */
  start: readonly string[]
  workspace: string
  home: string
  temporary: string
  /** The allow-listed variables of every subject. */
  env: Readonly<Record<string, string>>
}

export type BuiltFile = { path: string; content: string; mode: number }

export type BuiltCommand = {
  argv: string[]
  /** Number of argv words for the program and its subcommand: options may follow. */
  fixed: number
  env: Record<string, string>
  /** The file for stdin; null = closed. */
  stdin: string | null
  files: BuiltFile[]
  /** Commands to run before it, in order, in the same environment. */
  preCommands: string[][]
  passedBy: PromptRecord['passedBy']
}

// Linux limits an argument to 128 kB, including the terminating zero.
const MAX_ARGUMENT_BYTES = (128 << 10) - 1

/** Builds the command, files and environment of an agent. Deterministic: looks nothing up, runs nothing. */
export function buildCommand(definition: AgentDefinition, order: CommandOptions): BuiltCommand {
  const { home, temporary, prompt } = order
  const setup = findSetup(definition, order)
  const effort = findEffort(definition, order.effort)
  const promptFile = join(temporary, 'prompt.md')
  const passedBy = choosePassage(definition, prompt)
  const passedPrompt = passedBy === definition.prompt ? prompt : readTheFile(promptFile)
  const values: PlaceholderValues = {
    prompt: passedPrompt,
    promptFile,
    model: order.model,
    baseUrl: order.endpoint.baseUrl ?? '',
    key: order.endpoint.key,
    home,
    workspace: order.workspace,
    out: join(temporary, 'out'),
    effort: effort?.word ?? '',
  }
  const fill = (elements: readonly ArgvElement[]) => [
    ...order.start,
    ...elements.map((element) => fillElement(element, values)),
  ]
  const files = joinFiles([
    ...definition.files,
    ...(setup?.files ?? []),
    ...(effort?.setup.files ?? []),
  ])
  const env = { ...definition.env, ...setup?.env, ...effort?.setup.env }
  const own = setup?.argv ?? definition.argv
  return {
    argv: fill(putInFront(effort?.setup.argv ?? [], own)),
    fixed: order.start.length + firstOption(own),
    env: { ...order.env, ...fillEnv(env, values) },
    stdin: passedBy === 'stdin' ? promptFile : null,
    files: [
      ...files.map((file) => fillFile(file, values)),
      ...(passedBy === 'argument' ? [] : [{ path: promptFile, content: prompt, mode: 0o644 }]),
    ],
    preCommands: [...definition.before, ...(setup?.before ?? [])].map(fill),
    passedBy,
  }
}

function findSetup(
  { name, protocols, login }: AgentDefinition,
  { protocol, usesLogin }: CommandOptions,
) {
  if (usesLogin) return login?.setup
  const setup = protocol === null ? undefined : protocols[protocol]
  if (protocol !== null && !setup) throw new Error(`${name} does not speak ${protocol}`)
  return setup
}

function findEffort({ name, effort: setup }: AgentDefinition, level: string | null) {
  if (level === null) return null
  const word = setup && Object.hasOwn(setup.levels, level) ? setup.levels[level] : undefined
  if (!setup || word === undefined) throw new Error(`${name} knows no effort ${level}`)
  return { setup, word }
}

/** Inserts after a subcommand, before the first option. */
function putInFront(
  more: readonly ArgvElement[],
  elements: readonly ArgvElement[],
): readonly ArgvElement[] {
  const at = firstOption(elements)
  return [...elements.slice(0, at), ...more, ...elements.slice(at)]
}

/** Returns the index of the first option; the end if there is none. */
function firstOption(elements: readonly ArgvElement[]): number {
  const at = elements.findIndex((one) => typeof one !== 'string' || /^(-|\$\{)/.test(one))
  return at < 0 ? elements.length : at
}

/**
 * Joins files to one for each path: later JSON is merged, later TOML is put first, because tables end top-level keys.
 */
function joinFiles(files: readonly FileTemplate[]): FileTemplate[] {
  const joined = new Map<string, FileTemplate>()
  for (const file of files) {
    const before = joined.get(file.path)
    joined.set(file.path, before ? joinFile(before, file) : file)
  }
  return [...joined.values()]
}

function joinFile(first: FileTemplate, second: FileTemplate): FileTemplate {
  if (first.format === 'toml' && second.format === 'toml')
    return { ...first, content: `${second.content}\n${first.content}` }
  if (first.format === 'json' && second.format === 'json')
    return { ...first, content: mergeJson(first.content, second.content) }
  throw new Error(`${first.path} is a ${first.format} file and a ${second.format} file`)
}

type Json = z.infer<ReturnType<typeof z.json>>

function mergeJson(first: Json, second: Json): Json {
  if (!isMap(first) || !isMap(second)) return second
  const added = Object.entries(second).map(([name, value]) => {
    const known = Object.hasOwn(first, name) ? first[name] : undefined
    return [name, known === undefined ? value : mergeJson(known, value)]
  })
  return { ...first, ...Object.fromEntries(added) }
}

function isMap(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Passes the prompt in a file if it is too long or unfit for an argument, or could be taken for an option. */
function choosePassage(
  { prompt: wanted }: AgentDefinition,
  prompt: string,
): PromptRecord['passedBy'] {
  if (wanted !== 'argument') return wanted
  const fits = Buffer.byteLength(prompt) < MAX_ARGUMENT_BYTES
  return fits && !prompt.includes('\0') && !prompt.startsWith('-') ? 'argument' : 'file'
}

function readTheFile(promptFile: string): string {
  return `Read the file ${promptFile} as a whole and do what it says: it is your task, and nobody can answer questions.`
}

function fillElement(element: ArgvElement, values: PlaceholderValues): string {
  if (typeof element === 'string') return fillTemplate(element, values)
  return fillTemplate(element.toml, values, escapeToml)
}

function fillEnv(env: Record<string, string>, values: PlaceholderValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, fillTemplate(value, values)]),
  )
}

function fillFile(file: FileTemplate, values: PlaceholderValues): BuiltFile {
  const content =
    file.format === 'json'
      ? `${JSON.stringify(fillJson(file.content, values), null, 2)}\n`
      : fillTemplate(file.content, values, escapeToml)
  return { path: join(values.home, file.path), content, mode: 0o600 }
}

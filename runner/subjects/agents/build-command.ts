import { join } from 'node:path'
import type { PromptRecord } from '#lib/domain/record/index.ts'
import type { AgentDefinition, ArgvElement, FileTemplate } from '#lib/domain/runs/index.ts'
import type { Protocol } from '../../gateway/protocol.ts'
import { escapeToml, fillJson, fillTemplate, type PlaceholderValues } from './agent-definition.ts'

/** Where an agent is sent: to the gateway with a key of no worth, or to its vendor with a key of its own. */
export type Endpoint = { baseUrl: string | null; key: string }

export type CommandOptions = {
  protocol: Protocol | null
  /** The model as the provider calls it. */
  model: string
  prompt: string
  endpoint: Endpoint
  /** Path of the program; the definition's name of it when it is to be looked up. */
  binary: string
  workspace: string
  home: string
  temporary: string
  /** The allow-listed variables every subject gets. */
  env: Readonly<Record<string, string>>
}

export type BuiltFile = { path: string; content: string; mode: number }

export type BuiltCommand = {
  argv: string[]
  env: Record<string, string>
  /** The file that stdin reads from; null = closed. */
  stdin: string | null
  files: BuiltFile[]
  /** Run before it, in order, in the same surroundings. */
  preCommands: string[][]
  passedBy: PromptRecord['passedBy']
}

// Linux takes 128 kB an argument, the ending zero included.
const MOST_ARGUMENT_BYTES = (128 << 10) - 1

/** What starts an agent, and all it is given. Deterministic: nothing is looked up, nothing is run. */
export function buildCommand(definition: AgentDefinition, order: CommandOptions): BuiltCommand {
  const { home, temporary, prompt } = order
  const setup = order.protocol === null ? undefined : definition.protocols[order.protocol]
  if (order.protocol !== null && !setup)
    throw new Error(`${definition.name} does not speak ${order.protocol}`)
  const promptFile = join(temporary, 'prompt.md')
  const passedBy = choosePassage(definition, prompt)
  const told = passedBy === definition.prompt ? prompt : readTheFile(promptFile)
  const values: PlaceholderValues = {
    prompt: told,
    promptFile,
    model: order.model,
    baseUrl: order.endpoint.baseUrl ?? '',
    key: order.endpoint.key,
    home,
    workspace: order.workspace,
    out: join(temporary, 'out'),
  }
  const fill = (elements: readonly ArgvElement[]) => [
    order.binary,
    ...elements.map((element) => fillElement(element, values)),
  ]
  const files = [...definition.files, ...(setup?.files ?? [])]
  const env = { ...definition.env, ...setup?.env }
  return {
    argv: fill(setup?.argv ?? definition.argv),
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

/** Too long for an argument, unfit for one, or easily taken for an option: then the agent reads it from the file. */
function choosePassage(
  { prompt: wanted }: AgentDefinition,
  prompt: string,
): PromptRecord['passedBy'] {
  if (wanted !== 'argument') return wanted
  const fits = Buffer.byteLength(prompt) < MOST_ARGUMENT_BYTES
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

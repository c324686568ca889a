import {
  type Activation,
  type Arm,
  type McpServer,
  sumActivation,
  unknownActivation,
} from '#lib/domain/record/index.ts'
import { isAgentTask, type LoadedTask } from '../suites/task-folder.ts'
import type { CallRecord } from './call-record.ts'
import type { Listener } from './gateway-options.ts'
import { readConversation } from './scripted-turn.ts'

type Part = Activation['parts'][number]
type ModelRequest = Parameters<Listener['ask']>[1]

/** The parts of one arm to detect, and those already seen. */
type TextPart = Pick<Part, 'kind' | 'name'> & {
  /** Lines of its text that occur nowhere else; empty = none, so it cannot be detected. */
  lines: readonly string[]
  /** Texts that show its presence: its description, its path. */
  signs: readonly string[]
  seen: Set<string>
  isOffered: boolean
}
type ServerPart = { server: McpServer; isOffered: boolean; isUsed: boolean }

/**
 * Detects whether the content of an arm reaches the model: distinctive lines of its texts in requests, and tools of its
 * MCP servers among those offered and called. The report contains no text of the conversation.
 */
export class ActivationWatch {
  readonly #texts: TextPart[]
  readonly #servers: ServerPart[]
  /** Texts already checked: each request repeats the whole conversation. */
  readonly #heard = new Set<string>()

  /** `known` = texts that the model sees without the arm; they are not evidence of it. */
  constructor({ files, promptPrefix, mcpServers }: Arm, known: readonly string[]) {
    const rest = known.map(normalise).join('\n')
    const prefix =
      promptPrefix === undefined ? [] : [textPart('prefix', 'prompt', promptPrefix, rest)]
    this.#texts = [...prefix, ...files.map(({ path, text }) => textPart('file', path, text, rest))]
    this.#servers = mcpServers.map((server) => ({ server, isOffered: false, isUsed: false }))
  }

  ask({ protocol, json }: ModelRequest): void {
    const { tools } = readConversation(protocol, json)
    for (const part of this.#servers)
      part.isOffered ||= tools.some((tool) => isToolOf(part.server, tool))
    for (const text of textsOf(json)) this.#read(text)
  }

  settle({ toolCalls }: Pick<CallRecord, 'toolCalls'>): void {
    for (const part of this.#servers)
      part.isUsed ||= toolCalls.some((tool) => isToolOf(part.server, tool))
  }

  report(): Activation {
    return sumActivation([
      ...this.#texts.map(({ kind, name, lines, seen, isOffered }) => {
        const used = lines.length === 0 ? null : isMost(seen, lines)
        return { kind, name, offered: isOffered || used, used }
      }),
      ...this.#servers.map(({ server: { name }, isOffered, isUsed }) => ({
        kind: 'mcp' as const,
        name,
        offered: isOffered || isUsed,
        used: isUsed,
      })),
    ])
  }

  #read(text: string): void {
    if (this.#heard.has(text)) return
    this.#heard.add(text)
    // Agents name tools that they offer on demand in a text.
    for (const part of this.#servers) part.isOffered ||= text.includes(`mcp__${part.server.name}__`)
    const open = this.#texts.filter(({ lines, seen }) => lines.length === 0 || !isMost(seen, lines))
    if (open.length === 0) return
    const plain = normalise(text)
    for (const { lines, seen } of open)
      for (const line of lines) if (plain.includes(line)) seen.add(line)
    for (const part of open) part.isOffered ||= part.signs.some((sign) => plain.includes(sign))
  }
}

/**
 * Watches for the content of an arm, except texts that are in the task itself; null = the arm has nothing to detect.
 */
export function openActivation(arm: Arm | undefined, task: LoadedTask): ActivationWatch | null {
  if (!arm || !isAgentTask(task) || unknownActivation(arm) === undefined) return null
  const own = new Set(arm.files.map(({ path }) => path))
  const texts = task.forAgents.visibleTexts(task, (path) => own.has(path))
  return texts && new ActivationWatch(arm, texts)
}

/** Passes what the gateway sees to both; only the first one records responses. */
export function listenBoth(transcriber: Listener, activation: ActivationWatch): Listener {
  return {
    ask: (call, request) => {
      transcriber.ask(call, request)
      activation.ask(request)
    },
    receive: (call, chunk) => transcriber.receive(call, chunk),
    settle: (record) => {
      transcriber.settle(record)
      activation.settle(record)
    },
  }
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/
const MAX_LINES = 12
/** Maximum length of a checked text; what follows is data, not an instruction. */
const MAX_CHARS = 1 << 20
/**
 * Minimum number of letters and digits of a line that cannot occur in another text by chance, and of the fallback if no
 * line is that long.
 */
const LONG_LINE = 16
const SHORT_LINE = 8

/** A skill's front matter is always shown by an agent; its body is read by the model when it uses the skill. */
function textPart(kind: TextPart['kind'], name: string, text: string, known: string): TextPart {
  // Agents show the values, `description: …`, without the names before them.
  const front = (FRONT_MATTER.exec(text)?.[1] ?? '').replace(/^[\w-]+:/gm, '')
  const body = text.replace(FRONT_MATTER, '')
  const signs = kind === 'file' ? [normalise(name), ...distinctive(front, known)] : []
  const lines = spread(distinctive(body, known))
  return { kind, name, lines, signs, seen: new Set(), isOffered: false }
}

function distinctive(text: string, known: string): string[] {
  const lines = [...new Set(text.split('\n').map(normalise))].filter(
    (line) => line.length >= SHORT_LINE && !known.includes(line),
  )
  const long = lines.filter(({ length }) => length >= LONG_LINE)
  return long.length > 0 ? long : lines
}

/** Picks lines evenly from first to last. */
function spread(lines: readonly string[]): string[] {
  const step = Math.max(1, lines.length / MAX_LINES)
  return lines.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

function isMost(seen: ReadonlySet<string>, lines: readonly string[]): boolean {
  return 2 * seen.size >= lines.length
}

/** Keeps letters and digits only: agents number lines, indent and escape what they quote. */
function normalise(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/**
 * Returns true for a tool of the server. Agents prefix the server's name, each in its own way: `mcp__db__query`,
 * `db_query`, `db-query`.
 */
function isToolOf({ name, tools = [] }: McpServer, tool: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll('-', '_')
  return tools.includes(tool) || new RegExp(`^(mcp_{1,2})?${plain(name)}_{1,3}`).test(plain(tool))
}

/** Iterative, because an agent may nest a request arbitrarily deep, which must not end its gateway. */
function* textsOf(root: unknown): Generator<string> {
  const open = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') yield value.slice(0, MAX_CHARS)
    else if (typeof value === 'object' && value !== null)
      for (const one of Object.values(value)) open.push(one)
  }
}

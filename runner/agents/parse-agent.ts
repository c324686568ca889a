import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { type AgentDefinition, agentDefinitionSchema } from './agent-definition.ts'
import { AgentError } from './agent-error.ts'
import { findDefinitionMistakes, type Mistake } from './find-definition-mistakes.ts'

const MOST_CHARS = 256 << 10

/** Reads one agent's YAML; `file` is what the sentence of an error calls it. */
export function parseAgent(text: string, file: string): AgentDefinition {
  if (text.length > MOST_CHARS) throw new AgentError(`${file} is longer than an agent can be`)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [broken] = document.errors
  if (broken) {
    const { line } = lines.linePos(broken.pos[0])
    throw new AgentError(`${file} line ${line} is not valid YAML: ${firstLine(broken.message)}`)
  }
  const parsed = agentDefinitionSchema.safeParse(toValue(document, file))
  const mistakes: Told[] = parsed.success
    ? findDefinitionMistakes(parsed.data)
    : parsed.error.issues.map(toMistake)
  if (parsed.success && mistakes.length === 0) return parsed.data
  // A misspelt name shows as one that is unknown and one that is missing: the first says more.
  const first = mistakes.find(({ unknown }) => unknown !== undefined) ?? mistakes[0]
  throw new AgentError(describeMistake(first, { document, lines, file }, mistakes.length - 1))
}

function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new AgentError(`${file} cannot be read: ${firstLine((error as Error).message)}`)
  }
}

type Told = Mistake & { unknown?: string | undefined }
type Source = { document: Document; lines: LineCounter; file: string }

function toMistake(issue: z.core.$ZodIssue): Told {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  const missing = /received undefined$/.test(issue.message)
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  return { path, message: missing ? 'is missing' : issue.message, unknown }
}

function describeMistake(
  mistake: Told | undefined,
  { document, lines, file }: Source,
  more: number,
): string {
  if (!mistake) return `${file} is no agent definition`
  const { path, message, unknown } = mistake
  const offset = findOffset(document, unknown === undefined ? path : [...path, unknown])
  const place = offset === null ? file : `${file} line ${lines.linePos(offset).line}`
  const rest = more > 0 ? ` (and ${more} more)` : ''
  return `${place}: ${path.join('.') || 'the agent'}: ${message}${rest}`
}

/** Where the deepest part of the path stands that the document really has. */
function findOffset(document: Document, path: readonly (string | number)[]): number | null {
  for (let depth = path.length; depth > 0; depth--) {
    const offset = offsetIn(document.getIn(path.slice(0, depth - 1), true), path[depth - 1])
    if (offset !== null) return offset
  }
  return null
}

function offsetIn(parent: unknown, name: string | number | undefined): number | null {
  const node = isMap(parent)
    ? parent.items.find(({ key }) => String(key) === String(name))?.key
    : isSeq(parent)
      ? parent.items[Number(name)]
      : null
  return isNode(node) && node.range ? node.range[0] : null
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/[.:]$/, '')
}

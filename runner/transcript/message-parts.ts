import type { TranscriptRole, TranscriptToolCall } from '#lib/domain/transcript/index.ts'
import { at, textAt } from '../gateway/json-value.ts'

/** One message, tool result or response, in one shape for every protocol. */
export type Message = {
  role: TranscriptRole
  text: string | null
  reasoning: string | null
  toolCalls: TranscriptToolCall[]
  toolResult: { callId: string | null; text: string } | null
}

/** A message with only its text. */
export function textMessage(role: TranscriptRole, text: string | null): Message {
  return { role, text: text === '' ? null : text, reasoning: null, toolCalls: [], toolResult: null }
}

/** A system text, if there is one. */
export function systemMessages(text: string): Message[] {
  return text === '' ? [] : [textMessage('system', text)]
}

/** The result of a tool call. */
export function toolResultMessage(callId: string | null, text: string): Message {
  return { ...textMessage('tool', null), toolResult: { callId, text } }
}

/** Joins two parts of one response. */
export function joinMessages(a: Message, b: Message): Message {
  return {
    ...a,
    text: joinLines(a.text, b.text),
    reasoning: joinLines(a.reasoning, b.reasoning),
    toolCalls: [...a.toolCalls, ...b.toolCalls],
  }
}

function joinLines(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return `${a}\n${b}`
}

/** Returns a content as a list: a text, or the list of its parts. */
export function contentList(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return []
  return Array.isArray(content) ? content : [content]
}

/** All parts of a content as one text. */
export function describeContent(content: unknown): string {
  return contentList(content).map(describePart).join('\n')
}

const TEXT_MEMBERS = ['text', 'refusal', 'output_text', 'content'] as const

/** Returns a part as text: its words, else its kind, so that an image is named and not stored. */
export function describePart(part: unknown): string {
  if (typeof part === 'string') return part
  for (const member of TEXT_MEMBERS) {
    const text = textAt(part, member)
    if (text !== null) return text
  }
  const isEmpty = typeof at(part, 'text') === 'string'
  return isEmpty ? '' : `[${textAt(part, 'type') ?? kindOf(part)}: not text]`
}

/** Parts of Gemini have no type: their first member states it. */
function kindOf(part: unknown): string {
  const [kind = 'part'] = typeof part === 'object' && part !== null ? Object.keys(part) : []
  return Array.isArray(part) ? 'part' : kind.slice(0, 40)
}

/** Arguments and results as text. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '[nested too deep to be shown]'
  }
}

const ROLES: Record<string, TranscriptRole> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
  tool: 'tool',
  function: 'tool',
}

/** Maps the role of a message to a transcript role; unknown ones count as the user. */
export function roleOf(message: unknown): TranscriptRole {
  return ROLES[textAt(message, 'role') ?? 'user'] ?? 'user'
}

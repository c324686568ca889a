import type { Protocol } from '#lib/domain/runs/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { at, listAt, textAt } from '../gateway/json-value.ts'
import {
  contentList,
  describeContent,
  describePart,
  joinMessages,
  type Message,
  roleOf,
  systemMessages,
  textMessage,
  toolResultMessage,
  toText,
} from './message-parts.ts'

/** The conversation of a request: its system texts, and its messages in order. */
export type Conversation = { system: Message[]; messages: Message[]; continues: string | null }

/** Maximum number of messages and parts read of one request; larger requests could keep the runner busy. */
const MAX_PARTS = 20_000
/** Maximum number of parts of one response. */
const MAX_ANSWER_PARTS = 1000

const LISTS = {
  anthropic: ['messages', 'content'],
  'openai-chat': ['messages', 'tool_calls'],
  'openai-responses': ['input', 'content'],
  gemini: ['contents', 'parts'],
} as const

/** Reads a request; parts of unknown shape are named, never dropped. */
export function readRequest(protocol: Protocol, body: unknown): Conversation {
  const parts = countParts(protocol, body)
  if (parts <= MAX_PARTS) return readConversation(protocol, body)
  const note = textMessage(
    'system',
    `[a request of ${countOf(parts, 'part')} is not read: too long]`,
  )
  return { system: [note], messages: [], continues: null }
}

function countParts(protocol: Protocol, body: unknown): number {
  const [list, parts] = LISTS[protocol]
  const messages = listAt(body, list)
  return messages.reduce<number>((sum, one) => sum + 1 + listAt(one, parts).length, 0)
}

function readConversation(protocol: Protocol, body: unknown): Conversation {
  switch (protocol) {
    case 'anthropic':
      return {
        system: contentList(at(body, 'system')).flatMap((part) =>
          systemMessages(describePart(part)),
        ),
        messages: listAt(body, 'messages').flatMap(readAnthropic),
        continues: null,
      }
    case 'openai-chat':
      return leadingSystem(listAt(body, 'messages').flatMap(readChat))
    case 'openai-responses':
      return readResponses(body)
    case 'gemini':
      return {
        system: listAt(at(body, 'systemInstruction') ?? at(body, 'system_instruction'), 'parts')
          .map(describePart)
          .flatMap(systemMessages),
        messages: listAt(body, 'contents').flatMap(readGemini),
        continues: null,
      }
  }
}

function readResponses(body: unknown): Conversation {
  const input = at(body, 'input')
  const items =
    typeof input === 'string' ? [textMessage('user', input)] : readItems(listAt(body, 'input'))
  const { system, messages } = leadingSystem(items)
  const instructions = textAt(body, 'instructions')
  return {
    system: [...systemMessages(instructions ?? ''), ...system],
    messages,
    continues: textAt(body, 'previous_response_id'),
  }
}

/** Reads a response: the provider's message object, or the list of its items or parts. */
export function readAnswerMessage(protocol: Protocol, message: unknown): Message {
  const parts = Array.isArray(message) ? message.slice(0, MAX_ANSWER_PARTS) : message
  const read = {
    anthropic: () => readAnthropic({ role: 'assistant', content: parts }),
    'openai-chat': () => readChat(message),
    'openai-responses': () => readItems(Array.isArray(parts) ? parts : []),
    gemini: () => readGemini({ role: 'model', parts: message }),
  }[protocol]()
  return read
    .filter(({ role }) => role === 'assistant')
    .reduce(joinMessages, textMessage('assistant', null))
}

function leadingSystem(entries: Message[]): Conversation {
  const first = entries.findIndex(({ role }) => role !== 'system')
  const end = first === -1 ? entries.length : first
  return { system: entries.slice(0, end), messages: entries.slice(end), continues: null }
}

/** A message of Anthropic contains text, tool results and tool calls side by side. */
function readAnthropic(message: unknown): Message[] {
  const role = roleOf(message)
  const blocks = contentList(at(message, 'content'))
  if (role === 'assistant')
    return [blocks.map(readBlock).reduce(joinMessages, textMessage(role, null))]
  const results = blocks.filter((block) => textAt(block, 'type')?.endsWith('tool_result'))
  const others = blocks.filter((block) => !results.includes(block))
  const text = describeContent(others)
  return [
    ...results.map((block) =>
      toolResultMessage(textAt(block, 'tool_use_id'), describeContent(at(block, 'content'))),
    ),
    ...(text === '' ? [] : [textMessage(role, text)]),
  ]
}

function readBlock(block: unknown): Message {
  const type = textAt(block, 'type') ?? ''
  const name = textAt(block, 'name')
  if (type.endsWith('tool_use') && name !== null) {
    const call = { id: textAt(block, 'id'), name, arguments: toText(at(block, 'input')) }
    return { ...textMessage('assistant', null), toolCalls: [call] }
  }
  if (type === 'thinking')
    return { ...textMessage('assistant', null), reasoning: textAt(block, 'thinking') }
  if (type === 'redacted_thinking') return textMessage('assistant', null)
  return textMessage('assistant', describePart(block))
}

function readChat(message: unknown): Message[] {
  const role = roleOf(message)
  const text = describeContent(at(message, 'content'))
  if (role === 'tool') return [toolResultMessage(textAt(message, 'tool_call_id'), text)]
  if (role !== 'assistant') return [textMessage(role, text)]
  const toolCalls = listAt(message, 'tool_calls').map((call) => {
    const part = at(call, 'function') ?? at(call, 'custom')
    return {
      id: textAt(call, 'id'),
      name: textAt(part, 'name') ?? '?',
      arguments: toText(at(part, 'arguments') ?? at(part, 'input') ?? ''),
    }
  })
  const reasoning = textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning')
  const refusal = textAt(message, 'refusal')
  return [{ ...textMessage(role, text || refusal), reasoning, toolCalls }]
}

/** Reads consecutive items of one response: reasoning, message, calls. */
function readItems(items: readonly unknown[]): Message[] {
  const entries: Message[] = []
  for (const item of items) {
    const entry = readItem(item)
    const last = entries.at(-1)
    if (last?.role === 'assistant' && entry.role === 'assistant')
      entries[entries.length - 1] = joinMessages(last, entry)
    else entries.push(entry)
  }
  return entries
}

function readItem(item: unknown): Message {
  const type = textAt(item, 'type') ?? 'message'
  if (type === 'reasoning') return readThoughts(item)
  if (type.endsWith('_call_output'))
    return toolResultMessage(textAt(item, 'call_id'), describeOutput(at(item, 'output')))
  if (type.endsWith('_call')) return readCall(type, item)
  const content = describeContent(at(item, 'content'))
  const isEmpty = content === '' && type !== 'message'
  return textMessage(roleOf(item), isEmpty ? `[${type}]` : content)
}

function readThoughts(item: unknown): Message {
  const summary = describeContent(at(item, 'summary'))
  const reasoning = summary || describeContent(at(item, 'content'))
  return { ...textMessage('assistant', null), reasoning: reasoning === '' ? null : reasoning }
}

/** Tools of the agent carry a name; the provider's own are known by their type. */
function readCall(type: string, item: unknown): Message {
  const places = ['arguments', 'input', 'action', 'operation'] as const
  const given = places.map((place) => at(item, place)).find((value) => value !== undefined)
  const call = {
    id: textAt(item, 'call_id') ?? textAt(item, 'id'),
    name: textAt(item, 'name') ?? type,
    arguments: toText(given ?? ''),
  }
  return { ...textMessage('assistant', null), toolCalls: [call] }
}

function describeOutput(output: unknown): string {
  if (typeof output === 'string') return output
  const isParts = Array.isArray(output) && output.every((part) => textAt(part, 'type') !== null)
  return isParts ? describeContent(output) : toText(output)
}

function readGemini(content: unknown): Message[] {
  const role = roleOf(content)
  const parts = listAt(content, 'parts')
  if (role === 'assistant') return [readModelParts(parts)]
  const results = parts.filter((part) => at(part, 'functionResponse') !== undefined)
  const text = describeContent(parts.filter((part) => !results.includes(part)))
  return [
    ...results.map((part) =>
      toolResultMessage(
        textAt(part, 'functionResponse', 'id') ?? textAt(part, 'functionResponse', 'name'),
        describeResponse(at(part, 'functionResponse')),
      ),
    ),
    ...(text === '' ? [] : [textMessage(role, text)]),
  ]
}

/** Returns a result as text, with images named by their kind. */
function describeResponse(response: unknown): string {
  const parts = listAt(response, 'parts').map(describePart)
  return [toText(at(response, 'response')), ...parts].join('\n')
}

/** A stream sends a text in many parts, which are joined without separator. */
function readModelParts(parts: readonly unknown[]): Message {
  const textOf = (isThought: boolean) =>
    parts.flatMap((part) =>
      (at(part, 'thought') === true) === isThought ? (textAt(part, 'text') ?? []) : [],
    )
  const others = parts.filter(isOther).map(describeOther)
  const reasoning = textOf(true).join('')
  return {
    ...textMessage('assistant', [textOf(false).join(''), ...others].filter(Boolean).join('\n')),
    reasoning: reasoning === '' ? null : reasoning,
    toolCalls: parts.flatMap(readModelCall),
  }
}

/** A function of the agent, or code that the provider runs itself. */
function readModelCall(part: unknown): Message['toolCalls'] {
  const code = at(part, 'executableCode')
  if (code !== undefined) return [{ id: null, name: 'executableCode', arguments: toText(code) }]
  const name = textAt(part, 'functionCall', 'name')
  if (name === null) return []
  const args = at(part, 'functionCall', 'args')
  return [{ id: textAt(part, 'functionCall', 'id'), name, arguments: toText(args ?? {}) }]
}

const READ_ELSEWHERE = ['text', 'functionCall', 'executableCode']
/** Members that describe a part and are not content. */
const ABOUT = ['thought', 'thoughtSignature']

function isOther(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  const members = Object.keys(part).filter((member) => !ABOUT.includes(member))
  return members.length > 0 && !members.some((member) => READ_ELSEWHERE.includes(member))
}

function describeOther(part: unknown): string {
  return textAt(part, 'codeExecutionResult', 'output') ?? describePart(part)
}

import { parseJson } from '#lib/domain/text/index.ts'
import { at, countAt, listAt, textAt } from './json-value.ts'
import {
  addIds,
  addWritten,
  emptyReading,
  mergeUsage,
  type Reading,
  readError,
  type TurnReader,
} from './read-turn.ts'

/** OpenAI Chat Completions and compatible APIs: usage comes in a last chunk without choices, or in every chunk. */
export function readChat(): TurnReader {
  const reading = emptyReading()
  const seen = new Set<string>()
  return {
    reading,
    event: (_name, data) => {
      if (data === '[DONE]') reading.complete ||= reading.stopReason !== null
      else readChatPart(reading, parseJson(data), 'delta', seen)
      // Some providers count in every chunk: only the usage with or after the stop reason is complete.
      if (data === '[DONE]') reading.isUsageFinal ||= reading.rawUsage !== null
    },
    body: (json) => {
      readChatPart(reading, json, 'message', seen)
      reading.isUsageFinal = reading.rawUsage !== null
    },
  }
}

function readChatPart(
  reading: Reading,
  json: unknown,
  place: 'delta' | 'message',
  seen: Set<string>,
): void {
  reading.model = textAt(json, 'model') ?? reading.model
  reading.tier = textAt(json, 'service_tier') ?? reading.tier
  const usage = findChatUsage(json)
  mergeUsage(reading, usage)
  const error = at(json, 'error')
  if (error) reading.error = readError(error, 'type', 'code')
  for (const choice of listAt(json, 'choices')) {
    // OpenRouter reports a failure of its upstream here.
    const failed = at(choice, 'error')
    if (failed) reading.error = readError(failed, 'type', 'code')
    readChoice(reading, choice, place, seen)
  }
  reading.isUsageFinal ||= isObject(usage) && reading.stopReason !== null
}

/** Moonshot also counts in the last choice, Groq below a member of its own. */
function findChatUsage(json: unknown): unknown {
  const places = [at(json, 'usage'), at(json, 'choices', 0, 'usage'), at(json, 'x_groq', 'usage')]
  return places.find(isObject)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function readChoice(
  reading: Reading,
  choice: unknown,
  place: 'delta' | 'message',
  seen: Set<string>,
): void {
  listAt(choice, place, 'tool_calls').forEach((call, position) => {
    const name = textAt(call, 'function', 'name') ?? textAt(call, 'custom', 'name')
    // A name comes once per index; some providers repeat it in every fragment.
    const key = `${countAt(choice, 'index') ?? 0}/${countAt(call, 'index') ?? `#${position}`}`
    if (name && !seen.has(key)) {
      seen.add(key)
      reading.toolCalls.push(name)
      reading.tools.begin(key, { id: textAt(call, 'id'), name, value: {} })
    }
    const part = at(call, 'function', 'arguments') ?? at(call, 'custom', 'input')
    addWritten(reading, part)
    reading.tools.add(key, part)
  })
  if (textAt(choice, place, 'refusal')) reading.refused = true
  addWritten(reading, at(choice, place, 'content'), at(choice, place, 'reasoning_content'))
  reading.hasContent ||= CONTENT.some((member) => hasText(at(choice, place, member)))
  const reason = textAt(choice, 'finish_reason')
  if (reason === null) return
  reading.stopReason = reason
  reading.complete = true
  if (reason === 'content_filter') reading.refused = true
}

/** Members in which providers put what a model says, thinks or calls. */
const CONTENT = [
  ...(['content', 'reasoning', 'reasoning_content', 'reasoning_details'] as const),
  ...(['tool_calls', 'function_call', 'audio', 'refusal'] as const),
]

function hasText(value: unknown): boolean {
  return Array.isArray(value) || typeof value === 'string' ? value.length > 0 : isObject(value)
}

/**
 * OpenAI Responses: the last event repeats the complete response with its usage; only that and finished items are read.
 */
export function readResponses(): TurnReader {
  const reading = emptyReading()
  return {
    reading,
    event: (name, data) => {
      if (name?.endsWith('.delta')) reading.hasContent = true
      else readResponsesEvent(reading, parseJson(data))
    },
    body: (json) => {
      for (const item of listAt(json, 'output')) readItem(reading, item)
      readEnd(reading, json)
      // The response of a compaction has no status of its own.
      if (listAt(json, 'output').length > 0 && at(json, 'status') === undefined)
        reading.complete = true
    },
  }
}

function readResponsesEvent(reading: Reading, json: unknown): void {
  const type = textAt(json, 'type') ?? ''
  if (type === 'response.output_item.done') readItem(reading, at(json, 'item'))
  else if (type === 'error') readResponsesError(reading, at(json, 'error') ?? json)
  else if (type.startsWith('response.') && at(json, 'response') !== undefined)
    readEnd(reading, at(json, 'response'))
}

function readItem(reading: Reading, item: unknown): void {
  addIds(reading, item)
  reading.hasContent = true
  addWritten(reading, at(item, 'arguments'), at(item, 'input'))
  addWritten(reading, ...listAt(item, 'content').map((part) => at(part, 'text')))
  const type = textAt(item, 'type') ?? ''
  // `function_call` and `custom_tool_call` carry a name; the provider's own tools are known by their type.
  if (type.endsWith('_call')) readResponsesCall(reading, item, textAt(item, 'name') ?? type)
  // A web search is charged for searching, not for opening a page or searching in it.
  const action = textAt(item, 'action', 'type')
  const isCharged = type !== 'web_search_call' || action === null || action === 'search'
  if (type.endsWith('_call') && isCharged)
    reading.served.set(type, (reading.served.get(type) ?? 0) + 1)
  if (listAt(item, 'content').some((part) => at(part, 'type') === 'refusal')) reading.refused = true
}

function readResponsesCall(reading: Reading, item: unknown, name: string): void {
  reading.toolCalls.push(name)
  const value =
    at(item, 'arguments') ?? at(item, 'input') ?? at(item, 'action') ?? at(item, 'operation')
  const id = textAt(item, 'call_id') ?? textAt(item, 'id')
  reading.tools.begin(String(reading.toolCalls.length), { id, name, value })
}

function readEnd(reading: Reading, response: unknown): void {
  addIds(reading, response)
  reading.model = textAt(response, 'model') ?? reading.model
  reading.tier = textAt(response, 'service_tier') ?? reading.tier
  const usage = at(response, 'usage')
  mergeUsage(reading, usage)
  const status = textAt(response, 'status')
  if (at(response, 'error')) readResponsesError(reading, at(response, 'error'))
  const isOver = status !== null && status !== 'in_progress' && status !== 'queued'
  reading.isUsageFinal ||= isObject(usage) && (isOver || status === null)
  if (!isOver) return
  const why = textAt(response, 'incomplete_details', 'reason')
  reading.stopReason = why ? `${status}:${why}` : status
  if (why === 'content_filter') reading.refused = true
  reading.complete = status === 'completed' || status === 'incomplete'
}

function readResponsesError(reading: Reading, error: unknown): void {
  reading.error = readError(error, 'code', 'type')
}

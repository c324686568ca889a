import { at, countAt, listAt, parseJson, textAt } from './json-value.ts'
import { emptyReading, type Reading, type TurnReader } from './read-turn.ts'

/** OpenAI Chat Completions and its many relatives: usage comes in a last chunk without choices, or in every chunk. */
export function readChat(): TurnReader {
  const reading = emptyReading()
  const seen = new Set<string>()
  return {
    reading,
    event: (_name, data) => {
      if (data === '[DONE]') reading.complete ||= reading.stopReason !== null
      else readChatPart(reading, parseJson(data), 'delta', seen)
    },
    body: (json) => readChatPart(reading, json, 'message', seen),
  }
}

function readChatPart(
  reading: Reading,
  json: unknown,
  place: 'delta' | 'message',
  seen: Set<string>,
): void {
  reading.model = textAt(json, 'model') ?? reading.model
  const usage = at(json, 'usage')
  if (typeof usage === 'object' && usage !== null)
    reading.rawUsage = usage as Record<string, unknown>
  const error = at(json, 'error')
  if (error) reading.error = describe(error)
  for (const choice of listAt(json, 'choices')) readChoice(reading, choice, place, seen)
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
      reading.asked.begin(key, { id: textAt(call, 'id'), name, value: {} })
    }
    reading.asked.add(key, at(call, 'function', 'arguments') ?? at(call, 'custom', 'input'))
  })
  if (textAt(choice, place, 'refusal')) reading.refused = true
  const reason = textAt(choice, 'finish_reason')
  if (reason === null) return
  reading.stopReason = reason
  reading.complete = true
  if (reason === 'content_filter') reading.refused = true
}

function describe(error: unknown): NonNullable<Reading['error']> {
  const code = at(error, 'code')
  return {
    type: textAt(error, 'type') ?? (code === undefined || code === null ? 'error' : String(code)),
    message: textAt(error, 'message') ?? (typeof error === 'string' ? error : null),
  }
}

/** OpenAI Responses: the last event repeats the whole response with its usage; only that and finished items are read. */
export function readResponses(): TurnReader {
  const reading = emptyReading()
  return {
    reading,
    event: (name, data) => {
      if (!name?.endsWith('.delta')) readResponsesEvent(reading, parseJson(data))
    },
    body: (json) => {
      for (const item of listAt(json, 'output')) readItem(reading, item)
      readEnd(reading, json)
      // The answer of a compaction has no status of its own.
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
  const type = textAt(item, 'type') ?? ''
  // `function_call` and `custom_tool_call` carry a name; the provider's own tools are known by their type.
  if (type.endsWith('_call')) readResponsesCall(reading, item, textAt(item, 'name') ?? type)
  if (listAt(item, 'content').some((part) => at(part, 'type') === 'refusal')) reading.refused = true
}

function readResponsesCall(reading: Reading, item: unknown, name: string): void {
  reading.toolCalls.push(name)
  const value =
    at(item, 'arguments') ?? at(item, 'input') ?? at(item, 'action') ?? at(item, 'operation')
  const id = textAt(item, 'call_id') ?? textAt(item, 'id')
  reading.asked.begin(String(reading.toolCalls.length), { id, name, value })
}

function readEnd(reading: Reading, response: unknown): void {
  reading.model = textAt(response, 'model') ?? reading.model
  const usage = at(response, 'usage')
  if (typeof usage === 'object' && usage !== null)
    reading.rawUsage = usage as Record<string, unknown>
  const status = textAt(response, 'status')
  if (at(response, 'error')) readResponsesError(reading, at(response, 'error'))
  if (status === null || status === 'in_progress' || status === 'queued') return
  const why = textAt(response, 'incomplete_details', 'reason')
  reading.stopReason = why ? `${status}:${why}` : status
  if (why === 'content_filter') reading.refused = true
  reading.complete = status === 'completed' || status === 'incomplete'
}

function readResponsesError(reading: Reading, error: unknown): void {
  reading.error = {
    type: textAt(error, 'code') ?? textAt(error, 'type') ?? 'error',
    message: textAt(error, 'message'),
  }
}

import { at, listAt, parseJson, textAt } from './json-value.ts'
import { emptyReading, type Reading, type TurnReader } from './turn-reader.ts'

/** OpenAI Responses: the last event repeats the whole response with its usage; only that and finished items are read. */
export function readResponses(): TurnReader {
  const reading = emptyReading()
  return {
    reading,
    event: (name, data) => {
      if (!name?.endsWith('.delta')) readEvent(reading, parseJson(data))
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

function readEvent(reading: Reading, json: unknown): void {
  const type = textAt(json, 'type') ?? ''
  if (type === 'response.output_item.done') readItem(reading, at(json, 'item'))
  else if (type === 'error') readError(reading, at(json, 'error') ?? json)
  else if (type.startsWith('response.') && at(json, 'response') !== undefined)
    readEnd(reading, at(json, 'response'))
}

function readItem(reading: Reading, item: unknown): void {
  const type = textAt(item, 'type') ?? ''
  // `function_call` and `custom_tool_call` carry a name; the provider's own tools are known by their type.
  if (type.endsWith('_call')) readCall(reading, item, textAt(item, 'name') ?? type)
  if (listAt(item, 'content').some((part) => at(part, 'type') === 'refusal')) reading.refused = true
}

function readCall(reading: Reading, item: unknown, name: string): void {
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
  if (at(response, 'error')) readError(reading, at(response, 'error'))
  if (status === null || status === 'in_progress' || status === 'queued') return
  const why = textAt(response, 'incomplete_details', 'reason')
  reading.stopReason = why ? `${status}:${why}` : status
  if (why === 'content_filter') reading.refused = true
  reading.complete = status === 'completed' || status === 'incomplete'
}

function readError(reading: Reading, error: unknown): void {
  reading.error = {
    type: textAt(error, 'code') ?? textAt(error, 'type') ?? 'error',
    message: textAt(error, 'message'),
  }
}

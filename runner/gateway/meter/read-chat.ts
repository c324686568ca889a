import { at, countAt, listAt, parseJson, textAt } from './json-value.ts'
import { emptyReading, type Reading, type TurnReader } from './turn-reader.ts'

/** OpenAI Chat Completions and its many relatives: usage comes in a last chunk without choices, or in every chunk. */
export function readChat(): TurnReader {
  const reading = emptyReading()
  const seen = new Set<string>()
  return {
    reading,
    event: (_name, data) => {
      if (data === '[DONE]') reading.complete ||= reading.stopReason !== null
      else readPart(reading, parseJson(data), 'delta', seen)
    },
    body: (json) => readPart(reading, json, 'message', seen),
  }
}

function readPart(
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

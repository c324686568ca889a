import { at, listAt, parseJson, textAt } from './json-value.ts'
import { emptyReading, type Reading, type TurnReader } from './turn-reader.ts'

const REFUSALS = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
])

/** Gemini: every chunk has the shape of the whole answer and the running total of the usage. */
export function readGemini(): TurnReader {
  const reading = emptyReading()
  return {
    reading,
    event: (_name, data) => readPart(reading, parseJson(data)),
    // Without alt=sse a stream is one JSON array of chunks.
    body: (json) => {
      for (const part of Array.isArray(json) ? json : [json]) readPart(reading, part)
    },
  }
}

function readPart(reading: Reading, json: unknown): void {
  reading.model = textAt(json, 'modelVersion') ?? reading.model
  const usage = at(json, 'usageMetadata')
  if (typeof usage === 'object' && usage !== null)
    reading.rawUsage = { ...reading.rawUsage, ...usage }
  const blocked = textAt(json, 'promptFeedback', 'blockReason')
  if (blocked) end(reading, `prompt:${blocked}`, true)
  if (at(json, 'error'))
    reading.error = {
      type: textAt(json, 'error', 'status') ?? String(at(json, 'error', 'code') ?? 'error'),
      message: textAt(json, 'error', 'message'),
    }
  for (const candidate of listAt(json, 'candidates')) readCandidate(reading, candidate)
}

function readCandidate(reading: Reading, candidate: unknown): void {
  for (const part of listAt(candidate, 'content', 'parts')) {
    readCall(reading, at(part, 'functionCall'))
  }
  const reason = textAt(candidate, 'finishReason')
  if (reason) end(reading, reason, REFUSALS.has(reason))
}

function readCall(reading: Reading, call: unknown): void {
  const name = textAt(call, 'name')
  if (!name) return
  reading.toolCalls.push(name)
  // Arguments that a stream tells path by path are not put together: unknown. No arguments at all is an empty object.
  const isPartial = at(call, 'partialArgs') !== undefined || at(call, 'willContinue') === true
  const value = isPartial ? undefined : (at(call, 'args') ?? {})
  reading.asked.begin(String(reading.toolCalls.length), { id: textAt(call, 'id'), name, value })
}

function end(reading: Reading, reason: string, refused: boolean): void {
  reading.stopReason = reason
  reading.complete = true
  reading.refused ||= refused
}

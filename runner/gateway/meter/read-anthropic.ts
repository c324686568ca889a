import { at, listAt, parseJson, textAt } from './json-value.ts'
import { emptyReading, type Reading, type TurnReader } from './turn-reader.ts'

/** Anthropic Messages: `message_start` has input tokens, `message_delta` the running total of output and the stop reason. */
export function readAnthropic(): TurnReader {
  const reading = emptyReading()
  return {
    reading,
    event: (name, data) => {
      if (name !== 'content_block_delta') readEvent(reading, parseJson(data))
      else if (data.includes('input_json_delta')) readFragment(reading, parseJson(data))
    },
    body: (json) => {
      if (at(json, 'type') === 'error') readError(reading, json)
      if (at(json, 'type') !== 'message') return
      readMessage(reading, json)
      for (const [index, block] of listAt(json, 'content').entries())
        readBlock(reading, block, index)
      readStop(reading, textAt(json, 'stop_reason'))
      reading.complete = true
    },
  }
}

function readEvent(reading: Reading, json: unknown): void {
  const type = at(json, 'type')
  if (type === 'message_start') readMessage(reading, at(json, 'message'))
  if (type === 'content_block_start')
    readBlock(reading, at(json, 'content_block'), at(json, 'index'))
  if (type === 'message_delta') {
    readStop(reading, textAt(json, 'delta', 'stop_reason'))
    mergeUsage(reading, at(json, 'usage'))
  }
  if (type === 'message_stop') reading.complete = true
  if (type === 'error') readError(reading, json)
}

function readMessage(reading: Reading, message: unknown): void {
  reading.model = textAt(message, 'model') ?? reading.model
  mergeUsage(reading, at(message, 'usage'))
}

/** Tools of the agent and of the provider (web search …) alike. */
function readBlock(reading: Reading, block: unknown, index: unknown): void {
  const name = textAt(block, 'name')
  if (!textAt(block, 'type')?.endsWith('tool_use') || !name) return
  reading.toolCalls.push(name)
  // A stream begins with an empty input, and its fragments follow.
  const value = at(block, 'input')
  reading.asked.begin(String(index), { id: textAt(block, 'id'), name, value })
}

function readFragment(reading: Reading, json: unknown): void {
  reading.asked.add(String(at(json, 'index')), at(json, 'delta', 'partial_json'))
}

function readStop(reading: Reading, reason: string | null): void {
  reading.stopReason = reason ?? reading.stopReason
  if (reason === 'refusal') reading.refused = true
}

function readError(reading: Reading, json: unknown): void {
  reading.error = {
    type: textAt(json, 'error', 'type') ?? 'error',
    message: textAt(json, 'error', 'message'),
  }
}

/** A later null does not wipe out a number. */
function mergeUsage(reading: Reading, usage: unknown): void {
  if (typeof usage !== 'object' || usage === null) return
  const told = Object.entries(usage).filter(([, value]) => value !== null && value !== undefined)
  reading.rawUsage = { ...reading.rawUsage, ...Object.fromEntries(told) }
}

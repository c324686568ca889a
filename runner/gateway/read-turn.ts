import { parseJson } from '#lib/domain/text/index.ts'
import { at, listAt, textAt } from './json-value.ts'
import { idsOfAnswer } from './kept-state.ts'
import { RequestedTools } from './tool-calls.ts'

/** Facts that a response states about itself, in the provider's terms. */
export type Reading = {
  model: string | null
  /** The provider's usage object, merged over the stream; null if none came. */
  rawUsage: Record<string, unknown> | null
  /** False if a response broke off early: its usage is then a lower bound. */
  isUsageFinal: boolean
  /** The service tier if it is next to the usage. */
  tier: string | null
  /** Uses of the provider's own tools that are not in its usage object, by the provider's tool name. */
  served: Map<string, number>
  /** Ids under which the provider stores parts of it. */
  ids: Set<string>
  /** Names of the called tools, in order. */
  toolCalls: string[]
  /** The same calls with their identifying parts. */
  tools: RequestedTools
  stopReason: string | null
  refused: boolean
  /** The protocol's final event was seen. */
  complete: boolean
  /** Text, reasoning or a tool call came. */
  hasContent: boolean
  /** Characters that the model wrote and the gateway read: a lower bound. */
  written: number
  /** The error in the body of a failed call, or in a response that began with 200. */
  error: TurnError | null
}

export type TurnError = {
  type: string
  /** A second name of the error, if the provider gives one. */
  code: string | null
  message: string | null
  /** The provider's own object. */
  raw: unknown
}

/** Reads one response of one protocol, event by event or as one JSON body. */
export type TurnReader = {
  event: (name: string | null, data: string) => void
  body: (json: unknown) => void
  reading: Reading
}

export function emptyReading(): Reading {
  return {
    model: null,
    rawUsage: null,
    isUsageFinal: false,
    tier: null,
    served: new Map(),
    ids: new Set(),
    toolCalls: [],
    tools: new RequestedTools(),
    stopReason: null,
    refused: false,
    complete: false,
    hasContent: false,
    written: 0,
    error: null,
  }
}

/** Anthropic Messages: `message_start` has input tokens, `message_delta` the running total of output and the stop reason. */
export function readAnthropic(): TurnReader {
  const reading = emptyReading()
  return {
    reading,
    event: (name, data) => {
      if (name === 'content_block_delta') {
        reading.hasContent = true
        reading.written += Math.max(0, data.length - MAX_DELTA_FRAME)
      }
      if (name !== 'content_block_delta') readAnthropicEvent(reading, parseJson(data))
      else if (data.includes('input_json_delta')) readFragment(reading, parseJson(data))
    },
    body: (json) => {
      if (at(json, 'type') === 'error') readAnthropicError(reading, json)
      if (at(json, 'type') !== 'message') return
      readMessage(reading, json)
      for (const [index, block] of listAt(json, 'content').entries()) {
        reading.hasContent = true
        addWritten(reading, at(block, 'text'), at(block, 'thinking'))
        readBlock(reading, block, index)
      }
      readStop(reading, textAt(json, 'stop_reason'))
      reading.complete = true
      reading.isUsageFinal = true
    },
  }
}

/** Characters around the text of an event; events are not parsed for their length alone. */
const MAX_DELTA_FRAME = 120

/** Adds the length of texts written by the model. */
export function addWritten(reading: Reading, ...texts: unknown[]): void {
  for (const text of texts) if (typeof text === 'string') reading.written += text.length
}

function readAnthropicEvent(reading: Reading, json: unknown): void {
  const type = at(json, 'type')
  if (type === 'message_start') readMessage(reading, at(json, 'message'))
  if (type === 'content_block_delta') reading.hasContent = true
  if (type === 'content_block_start')
    readBlock(reading, at(json, 'content_block'), at(json, 'index'))
  if (type === 'message_delta') {
    addIds(reading, at(json, 'delta'))
    readStop(reading, textAt(json, 'delta', 'stop_reason'))
    mergeUsage(reading, at(json, 'usage'))
    reading.isUsageFinal ||= at(json, 'usage') !== undefined
  }
  if (type === 'message_stop') reading.complete = true
  if (type === 'error') readAnthropicError(reading, json)
}

function readMessage(reading: Reading, message: unknown): void {
  addIds(reading, message)
  reading.model = textAt(message, 'model') ?? reading.model
  mergeUsage(reading, at(message, 'usage'))
}

/** Handles tools of the agent and of the provider (web search …) alike. */
function readBlock(reading: Reading, block: unknown, index: unknown): void {
  const name = textAt(block, 'name')
  if (!textAt(block, 'type')?.endsWith('tool_use') || !name) return
  reading.hasContent = true
  reading.toolCalls.push(name)
  // A stream begins with an empty input, followed by its fragments.
  const value = at(block, 'input')
  reading.tools.begin(String(index), { id: textAt(block, 'id'), name, value })
}

function readFragment(reading: Reading, json: unknown): void {
  reading.tools.add(String(at(json, 'index')), at(json, 'delta', 'partial_json'))
}

function readStop(reading: Reading, reason: string | null): void {
  reading.stopReason = reason ?? reading.stopReason
  if (reason === 'refusal') reading.refused = true
}

function readAnthropicError(reading: Reading, json: unknown): void {
  reading.error = readError(at(json, 'error'), 'type', 'code')
}

/** Reads an error object whose name is the member `first`; a plain string is its message. */
export function readError(raw: unknown, first: string, second: string): TurnError {
  const named = (member: string) => {
    const value = at(raw, member)
    return typeof value === 'number' ? String(value) : textAt(raw, member)
  }
  const [type, other] = [named(first), named(second)]
  const message = textAt(raw, 'message') ?? (typeof raw === 'string' ? raw : null)
  return { type: type ?? other ?? 'error', code: type === null ? null : other, message, raw }
}

/** Collects the ids by which a later request may refer to the response. */
export function addIds({ ids }: Reading, message: unknown): void {
  if (ids.size < MAX_IDS) for (const id of idsOfAnswer(message)) ids.add(id)
}

const MAX_IDS = 10_000

/** Merges running totals: the later one counts, but a later null does not replace a number. */
export function mergeUsage(reading: Reading, usage: unknown): void {
  if (typeof usage !== 'object' || usage === null) return
  const given = Object.entries(usage).filter(([, value]) => value !== null && value !== undefined)
  reading.rawUsage = { ...reading.rawUsage, ...Object.fromEntries(given) }
}

const REFUSALS = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
])

/** Gemini: every chunk has the shape of the complete response and the running total of the usage. */
export function readGemini(): TurnReader {
  const reading = emptyReading()
  return {
    reading,
    event: (_name, data) => readGeminiPart(reading, parseJson(data)),
    // Without alt=sse a stream is one JSON array of chunks.
    body: (json) => {
      for (const part of Array.isArray(json) ? json : [json]) readGeminiPart(reading, part)
      reading.isUsageFinal = reading.rawUsage !== null
    },
  }
}

function readGeminiPart(reading: Reading, json: unknown): void {
  reading.model = textAt(json, 'modelVersion') ?? reading.model
  const usage = at(json, 'usageMetadata')
  mergeUsage(reading, usage)
  const blocked = textAt(json, 'promptFeedback', 'blockReason')
  if (blocked) end(reading, `prompt:${blocked}`, true)
  if (at(json, 'error')) reading.error = readError(at(json, 'error'), 'status', 'code')
  for (const candidate of listAt(json, 'candidates')) readCandidate(reading, candidate)
  reading.isUsageFinal ||= reading.stopReason !== null && usage !== undefined
}

function readCandidate(reading: Reading, candidate: unknown): void {
  for (const part of listAt(candidate, 'content', 'parts')) {
    reading.hasContent = true
    addWritten(reading, at(part, 'text'))
    readGeminiCall(reading, at(part, 'functionCall'))
  }
  // Every chunk may repeat the queries so far.
  const queries = listAt(candidate, 'groundingMetadata', 'webSearchQueries').length
  if (queries > 0) reading.served.set('google_search', queries)
  const reason = textAt(candidate, 'finishReason')
  if (reason) end(reading, reason, REFUSALS.has(reason))
}

function readGeminiCall(reading: Reading, call: unknown): void {
  const name = textAt(call, 'name')
  if (!name) return
  reading.toolCalls.push(name)
  // Arguments streamed path by path are not reassembled: unknown. Missing arguments are an empty object.
  const isPartial = at(call, 'partialArgs') !== undefined || at(call, 'willContinue') === true
  const value = isPartial ? undefined : (at(call, 'args') ?? {})
  reading.tools.begin(String(reading.toolCalls.length), { id: textAt(call, 'id'), name, value })
}

function end(reading: Reading, reason: string, refused: boolean): void {
  reading.stopReason = reason
  reading.complete = true
  reading.refused ||= refused
}

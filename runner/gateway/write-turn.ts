import type { Protocol } from '#lib/domain/runs/index.ts'
import { present } from '#lib/domain/text/index.ts'
import {
  EVENT_STREAM,
  inPieces,
  jsonAnswer,
  knownOnly,
  type WireAnswer,
  type WireTurn,
} from './wire-turn.ts'
import { writeChat, writeResponses } from './write-openai.ts'

type ResponseFormat = {
  streams: boolean
  /** Chat only: a stream contains usage only if requested. */
  asksUsage: boolean
}

/**
 * Writes one assistant turn in the protocol of the request. SSE comments are never sent: they break one of the CLIs.
 */
export function writeTurn(protocol: Protocol, turn: WireTurn, asking: ResponseFormat): WireAnswer {
  switch (protocol) {
    case 'anthropic':
      return writeAnthropic(turn, asking.streams)
    case 'openai-responses':
      return writeResponses(turn, asking.streams)
    case 'openai-chat':
      return writeChat(turn, asking.streams, asking.asksUsage)
    case 'gemini':
      return writeGemini(turn, asking.streams)
  }
}

type Block = Record<string, unknown>

/** Writes an Anthropic message, streamed with the event sequence of the real API or as one body. */
function writeAnthropic(turn: WireTurn, streams: boolean): WireAnswer {
  const message = {
    id: `msg_${turn.id}`,
    type: 'message',
    role: 'assistant',
    model: turn.model,
    content: blocks(turn),
    stop_reason: stopReason(turn),
    stop_sequence: null,
    usage: { ...inputUsage(turn), output_tokens: turn.usage.output ?? 0 },
  }
  if (!streams) return jsonAnswer(message)
  const start = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...message.usage, output_tokens: 1 },
  }
  const events: Block[] = [
    { type: 'message_start', message: start },
    ...message.content.flatMap((block, index) => blockEvents(block, index)),
    {
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: message.usage.output_tokens },
    },
    { type: 'message_stop' },
  ]
  return {
    contentType: EVENT_STREAM,
    chunks: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  }
}

function blocks(turn: WireTurn): Block[] {
  return present([
    turn.reason !== null && { type: 'thinking', thinking: turn.reason, signature: 'c2NyaXB0ZWQ=' },
    turn.say !== null && { type: 'text', text: turn.say },
    ...turn.calls.map(({ name, input }, index) => ({
      type: 'tool_use',
      id: `toolu_${turn.id}${index}`,
      name,
      input,
    })),
  ])
}

function blockEvents(block: Block, index: number): Block[] {
  const delta = (value: Block): Block => ({ type: 'content_block_delta', index, delta: value })
  const [empty, deltas] = opened(block)
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas.map(delta),
    { type: 'content_block_stop', index },
  ]
}

/** Returns a block as it starts, and the deltas that fill it. */
function opened(block: Block): [Block, Block[]] {
  switch (block.type) {
    case 'text':
      return [
        { type: 'text', text: '' },
        inPieces(String(block.text)).map((text) => ({ type: 'text_delta', text })),
      ]
    case 'thinking':
      return [
        { type: 'thinking', thinking: '', signature: '' },
        [
          ...inPieces(String(block.thinking)).map((thinking) => ({
            type: 'thinking_delta',
            thinking,
          })),
          { type: 'signature_delta', signature: block.signature },
        ],
      ]
    default:
      return [
        { ...block, input: {} },
        ['', ...inPieces(JSON.stringify(block.input))].map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      ]
  }
}

function stopReason(turn: WireTurn): string {
  if (turn.stop === 'length') return 'max_tokens'
  if (turn.stop === 'refusal') return 'refusal'
  return turn.calls.length > 0 ? 'tool_use' : 'end_turn'
}

/** Anthropic's `input_tokens` excludes the cache. */
function inputUsage({ usage }: WireTurn): Record<string, number> {
  const cached = (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0)
  return knownOnly({
    input_tokens: Math.max(0, (usage.input ?? 0) - cached),
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
  })
}

type Part = Record<string, unknown>

/**
 * Writes a Gemini response: one body, or chunks of the same shape with CRLF between events as the real API sends them.
 */
function writeGemini(turn: WireTurn, streams: boolean): WireAnswer {
  const foot = { modelVersion: turn.model, responseId: turn.id }
  const last = { finishReason: finishReason(turn), index: 0 }
  const usageMetadata = usage(turn)
  if (!streams)
    return jsonAnswer({
      candidates: [{ content: { parts: parts(turn, false), role: 'model' }, ...last }],
      usageMetadata,
      ...foot,
    })
  const pieces = parts(turn, true)
  const chunks = pieces.map((part, index) => ({
    candidates: [
      {
        content: { parts: [part], role: 'model' },
        ...(index === pieces.length - 1 ? last : { index: 0 }),
      },
    ],
    usageMetadata:
      index === pieces.length - 1
        ? usageMetadata
        : knownOnly({ promptTokenCount: turn.usage.input, totalTokenCount: turn.usage.input }),
    ...foot,
  }))
  return {
    contentType: EVENT_STREAM.split(';')[0] as string,
    chunks: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`),
  }
}

function parts(turn: WireTurn, inStream: boolean): Part[] {
  const cut = (text: string | null) => (text === null ? [] : inStream ? inPieces(text) : [text])
  const all: Part[] = [
    ...cut(turn.reason).map((text) => ({ text, thought: true })),
    ...cut(turn.say).map((text) => ({ text })),
    ...turn.calls.map(({ name, input }, index) => ({
      functionCall: { id: `call-${turn.id}${index}`, name, args: input },
    })),
  ]
  return all.length > 0 ? all : [{ text: '' }]
}

function finishReason(turn: WireTurn): string {
  if (turn.stop === 'length') return 'MAX_TOKENS'
  return turn.stop === 'refusal' ? 'SAFETY' : 'STOP'
}

/** Gemini's `candidatesTokenCount` excludes the thoughts. */
function usage({ usage: tokens }: WireTurn): Record<string, number> {
  const input = tokens.input ?? 0
  const output = tokens.output ?? 0
  return knownOnly({
    promptTokenCount: input,
    candidatesTokenCount: output - (tokens.reasoning ?? 0),
    totalTokenCount: input + output,
    cachedContentTokenCount: tokens.cacheRead,
    thoughtsTokenCount: tokens.reasoning,
  })
}

import type { Protocol } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { at, countAt, listAt, textAt } from '../gateway/json-value.ts'
import { SseParser } from '../gateway/sse-parser.ts'
import type { Message } from './message-parts.ts'
import { readAnswerMessage } from './read-messages.ts'

/** Maximum bytes stored of one response; the rest is dropped. */
const MAX_BYTES = 8 << 20

/** The bytes of one response, stored until they are read in parallel with the call, so that no agent waits for it. */
export class AnswerTape {
  readonly #protocol: Protocol
  #pieces: Uint8Array[] = []
  #bytes = 0
  /** Number of bytes that were not stored. */
  dropped = 0

  constructor(protocol: Protocol) {
    this.#protocol = protocol
  }

  receive(chunk: Uint8Array): void {
    if (this.#bytes + chunk.length > MAX_BYTES) this.dropped += chunk.length
    else {
      this.#pieces.push(chunk)
      this.#bytes += chunk.length
    }
  }

  /** Returns what the response said so far, and releases the bytes. The id links a later request to it. */
  read(): { entry: Message; responseId: string | null } {
    const bytes = Buffer.concat(this.#pieces)
    this.#pieces = []
    const json = parseJson(bytes.toString('utf8'))
    const gathered =
      json === undefined ? gather(this.#protocol, bytes) : wholeAnswer(this.#protocol, json)
    return {
      entry: readAnswerMessage(this.#protocol, gathered.message),
      responseId: gathered.responseId,
    }
  }
}

type Gathered = { message: unknown; responseId: string | null }

function wholeAnswer(protocol: Protocol, json: unknown): Gathered {
  const responseId = textAt(json, 'id')
  switch (protocol) {
    case 'anthropic':
      return { message: at(json, 'content'), responseId }
    case 'openai-chat':
      return {
        message: { role: 'assistant', ...asObject(at(json, 'choices', 0, 'message')) },
        responseId,
      }
    case 'openai-responses':
      return { message: at(json, 'output'), responseId }
    case 'gemini':
      return { message: geminiParts(Array.isArray(json) ? json : [json]), responseId }
  }
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

function geminiParts(chunks: readonly unknown[]): unknown[] {
  return chunks.flatMap((chunk) => listAt(chunk, 'candidates', 0, 'content', 'parts'))
}

/** Joins the events of a stream to the message that they are pieces of. */
function gather(protocol: Protocol, bytes: Uint8Array): Gathered {
  const events: unknown[] = []
  const parser = new SseParser(MAX_BYTES, ({ data }) => {
    const event = parseJson(data)
    if (event !== undefined) events.push(event)
  })
  parser.push(bytes)
  parser.end()
  switch (protocol) {
    case 'anthropic':
      return gatherAnthropic(events)
    case 'openai-chat':
      return gatherChat(events)
    case 'openai-responses':
      return gatherResponses(events)
    case 'gemini':
      return { message: geminiParts(events), responseId: null }
  }
}

/** A block as it began, and its later pieces. */
type Block = { begun: unknown; pieces: string[] }

function gatherAnthropic(events: readonly unknown[]): Gathered {
  const blocks = new Map<number, Block>()
  for (const event of events) {
    const index = countAt(event, 'index') ?? 0
    if (textAt(event, 'type') === 'content_block_start')
      blocks.set(index, { begun: at(event, 'content_block'), pieces: [] })
    const delta = at(event, 'delta')
    const piece =
      textAt(delta, 'text') ?? textAt(delta, 'thinking') ?? textAt(delta, 'partial_json')
    if (piece !== null) blocks.get(index)?.pieces.push(piece)
  }
  return { message: [...blocks.values()].map(endBlock), responseId: null }
}

/** A block of a kind without pieces stays as it began. */
function endBlock({ begun, pieces }: Block): unknown {
  if (pieces.length === 0) return begun
  const block = asObject(begun)
  const text = pieces.join('')
  const type = textAt(begun, 'type')
  if (type !== 'text' && type !== 'thinking') return { ...block, input: text }
  return { ...block, [type]: (textAt(begun, type) ?? '') + text }
}

type ChatCall = { index: number; id: string | null; name: string | null; pieces: string[] }

function gatherChat(events: readonly unknown[]): Gathered {
  const texts: string[] = []
  const reasons: string[] = []
  const calls: ChatCall[] = []
  for (const event of events) {
    const delta = at(event, 'choices', 0, 'delta')
    texts.push(textAt(delta, 'content') ?? textAt(delta, 'refusal') ?? '')
    reasons.push(textAt(delta, 'reasoning_content') ?? textAt(delta, 'reasoning') ?? '')
    for (const [place, call] of listAt(delta, 'tool_calls').entries()) addCall(calls, call, place)
  }
  const message = {
    role: 'assistant',
    content: texts.join(''),
    reasoning_content: reasons.join(''),
    tool_calls: calls.map(({ id, name, pieces }) => ({
      id,
      function: { name, arguments: pieces.join('') },
    })),
  }
  return { message, responseId: null }
}

function addCall(calls: ChatCall[], part: unknown, place: number): void {
  const index = countAt(part, 'index') ?? place
  const body = at(part, 'function') ?? at(part, 'custom')
  const id = textAt(part, 'id')
  const name = textAt(body, 'name')
  const begun = calls.findLast((call) => call.index === index)
  // Some providers send complete calls, each as the first; others a new id with every piece, but no name.
  const isAnother = begun && name !== null && id !== null && begun.id !== null && id !== begun.id
  const call = begun && !isAnother ? begun : { index, id: null, name: null, pieces: [] }
  if (call !== begun) calls.push(call)
  call.id ??= id
  call.name ??= name
  call.pieces.push(textAt(body, 'arguments') ?? textAt(body, 'input') ?? '')
}

function gatherResponses(events: readonly unknown[]): Gathered {
  const items = new ResponseItems()
  let responseId: string | null = null
  for (const event of events) {
    responseId ??= textAt(event, 'response', 'id')
    items.receive(event)
  }
  return { message: items.list(), responseId }
}

/** An item of a response: as it began with its later pieces, or as it was finished. */
type Item = { key: string | null; item: unknown; pieces: string[]; isDone: boolean }

/**
 * Assembles the items of a response of OpenAI Responses from its events: finished ones, and the received pieces of the
 * others.
 */
class ResponseItems {
  readonly #items: Item[] = []

  receive(event: unknown): void {
    const type = textAt(event, 'type') ?? ''
    const key = keyOf(event)
    const item = at(event, 'item')
    const open = this.#items.findLast((one) => !one.isDone && one.key === key)
    if (type === 'response.output_item.added') this.#begin(key, item)
    else if (type === 'response.output_item.done')
      Object.assign(open ?? this.#begin(key, item), { item, pieces: [], isDone: true })
    else if (type.endsWith('.delta') && !type.endsWith('audio.delta'))
      (open ?? this.#begin(key, { type: 'message', role: 'assistant' })).pieces.push(
        textAt(event, 'delta') ?? '',
      )
  }

  list(): unknown[] {
    return this.#items.map(asFarAsItCame)
  }

  #begin(key: string | null, item: unknown): Item {
    const begun: Item = { key, item, pieces: [], isDone: false }
    this.#items.push(begun)
    return begun
  }
}

function keyOf(event: unknown): string | null {
  const place = countAt(event, 'output_index')
  return place === null ? (textAt(event, 'item_id') ?? textAt(event, 'item', 'id')) : `${place}`
}

function asFarAsItCame({ item, pieces }: Item): unknown {
  const text = pieces.join('')
  if (text === '' || typeof item !== 'object') return item
  const type = textAt(item, 'type') ?? 'message'
  if (type === 'reasoning') return { ...item, summary: text }
  return type.endsWith('_call') ? { ...item, arguments: text } : { ...item, content: text }
}

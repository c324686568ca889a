import { parseJson } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { at, countAt, listAt, textAt } from '../gateway/json-value.ts'
import { SseParser } from '../gateway/sse-parser.ts'
import type { Message } from './message-parts.ts'
import { readAnswerMessage } from './read-messages.ts'

/** Bytes of one answer that are held; a longer one is read as far as that. */
const MOST_BYTES = 8 << 20

/** The bytes of one answer, held until they are read in parallel with the call, so that no agent waits for it. */
export class AnswerTape {
  readonly #protocol: Protocol
  #pieces: Uint8Array[] = []
  #bytes = 0
  /** Bytes that were not held. */
  dropped = 0

  constructor(protocol: Protocol) {
    this.#protocol = protocol
  }

  hear(chunk: Uint8Array): void {
    if (this.#bytes + chunk.length > MOST_BYTES) this.dropped += chunk.length
    else {
      this.#pieces.push(chunk)
      this.#bytes += chunk.length
    }
  }

  /** What the answer said, as far as it came; the bytes are let go. The id ties a later request to it. */
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

/** Puts the events of a stream together to the message that they are the pieces of. */
function gather(protocol: Protocol, bytes: Uint8Array): Gathered {
  const events: unknown[] = []
  const parser = new SseParser(MOST_BYTES, ({ data }) => {
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

type Block = {
  type: string | null
  name: string | null
  id: string | null
  pieces: string[]
  input: unknown
}

function gatherAnthropic(events: readonly unknown[]): Gathered {
  const blocks = new Map<number, Block>()
  for (const event of events) {
    const index = countAt(event, 'index') ?? 0
    if (textAt(event, 'type') === 'content_block_start') blocks.set(index, startBlock(event))
    const delta = at(event, 'delta')
    const piece =
      textAt(delta, 'text') ?? textAt(delta, 'thinking') ?? textAt(delta, 'partial_json')
    if (piece !== null) blocks.get(index)?.pieces.push(piece)
  }
  const message = [...blocks.values()].map(({ type, name, id, pieces, input }) => {
    const text = pieces.join('')
    return { type, name, id, text, thinking: text, input: text === '' ? input : text }
  })
  return { message, responseId: null }
}

function startBlock(event: unknown): Block {
  const block = at(event, 'content_block')
  const begun = textAt(block, 'text') ?? textAt(block, 'thinking')
  return {
    type: textAt(block, 'type'),
    name: textAt(block, 'name'),
    id: textAt(block, 'id'),
    pieces: begun === null ? [] : [begun],
    input: at(block, 'input'),
  }
}

type ChatCall = { id: string | null; name: string | null; pieces: string[] }

function gatherChat(events: readonly unknown[]): Gathered {
  const texts: string[] = []
  const reasons: string[] = []
  const calls = new Map<number, ChatCall>()
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
    tool_calls: [...calls.values()].map(({ id, name, pieces }) => ({
      id,
      function: { name, arguments: pieces.join('') },
    })),
  }
  return { message, responseId: null }
}

function addCall(calls: Map<number, ChatCall>, part: unknown, place: number): void {
  const index = countAt(part, 'index') ?? place
  const call = calls.get(index) ?? { id: null, name: null, pieces: [] }
  calls.set(index, call)
  const body = at(part, 'function') ?? at(part, 'custom')
  call.id ??= textAt(part, 'id')
  call.name ??= textAt(body, 'name')
  call.pieces.push(textAt(body, 'arguments') ?? textAt(body, 'input') ?? '')
}

/** Finished items; of an answer that broke off, the text as far as it came. */
function gatherResponses(events: readonly unknown[]): Gathered {
  const items: unknown[] = []
  let open = ''
  let responseId: string | null = null
  for (const event of events) {
    const type = textAt(event, 'type')
    responseId ??= textAt(event, 'response', 'id')
    if (type === 'response.output_text.delta') open += textAt(event, 'delta') ?? ''
    if (type !== 'response.output_item.done') continue
    items.push(at(event, 'item'))
    open = ''
  }
  const rest = open === '' ? [] : [{ type: 'message', role: 'assistant', content: open }]
  return { message: [...items, ...rest], responseId }
}

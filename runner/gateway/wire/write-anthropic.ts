import {
  EVENT_STREAM,
  inPieces,
  jsonAnswer,
  told,
  type WireAnswer,
  type WireTurn,
} from './wire-turn.ts'

type Block = Record<string, unknown>

/** An Anthropic message, streamed with the event sequence of the real API or as one body. */
export function writeAnthropic(turn: WireTurn, streams: boolean): WireAnswer {
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
  return [
    ...(turn.reason === null
      ? []
      : [{ type: 'thinking', thinking: turn.reason, signature: 'c2NyaXB0ZWQ=' }]),
    ...(turn.say === null ? [] : [{ type: 'text', text: turn.say }]),
    ...turn.calls.map(({ name, input }, index) => ({
      type: 'tool_use',
      id: `toolu_${turn.id}${index}`,
      name,
      input,
    })),
  ]
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

/** A block as it starts, and the deltas that fill it. */
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

/** Here `input_tokens` leaves the cache out. */
function inputUsage({ usage }: WireTurn): Record<string, number> {
  const cached = (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0)
  return told({
    input_tokens: Math.max(0, (usage.input ?? 0) - cached),
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
  })
}

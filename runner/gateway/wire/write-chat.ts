import {
  EVENT_STREAM,
  inPieces,
  jsonAnswer,
  told,
  type WireAnswer,
  type WireTurn,
} from './wire-turn.ts'

type Part = Record<string, unknown>

/** A chat completion, streamed in chunks or as one body; usage in a last chunk when the request asked for it. */
export function writeChat(turn: WireTurn, streams: boolean, asksUsage: boolean): WireAnswer {
  const head = { id: `chatcmpl-${turn.id}`, created: turn.createdAt, model: turn.model }
  if (!streams)
    return jsonAnswer({
      ...head,
      object: 'chat.completion',
      choices: [
        { index: 0, message: message(turn), logprobs: null, finish_reason: finishReason(turn) },
      ],
      usage: usage(turn),
    })
  const chunk = (choices: Part[], more: Part = {}): Part => ({
    ...head,
    object: 'chat.completion.chunk',
    choices,
    ...more,
  })
  const choice = (delta: Part, finish_reason: string | null = null): Part[] => [
    { index: 0, delta, logprobs: null, finish_reason },
  ]
  const chunks = [
    chunk(choice({ role: 'assistant', content: '' })),
    ...deltas(turn).map((delta) => chunk(choice(delta))),
    chunk(choice({}, finishReason(turn))),
    ...(asksUsage ? [chunk([], { usage: usage(turn) })] : []),
  ]
  return {
    contentType: EVENT_STREAM,
    chunks: [...chunks.map((value) => `data: ${JSON.stringify(value)}\n\n`), 'data: [DONE]\n\n'],
  }
}

function message(turn: WireTurn): Part {
  const refused = turn.stop === 'refusal'
  return {
    role: 'assistant',
    content: refused ? null : turn.say,
    refusal: refused ? turn.say : null,
    ...(turn.reason === null ? {} : { reasoning_content: turn.reason }),
    ...(turn.calls.length === 0
      ? {}
      : { tool_calls: turn.calls.map((_, index) => call(turn, index)) }),
  }
}

function call(turn: WireTurn, index: number): Part {
  const { name, input } = turn.calls[index] as WireTurn['calls'][number]
  return {
    id: `call_${turn.id}${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }
}

function deltas(turn: WireTurn): Part[] {
  const field = turn.stop === 'refusal' ? 'refusal' : 'content'
  return [
    ...inPieces(turn.reason ?? '').map((reasoning_content) => ({ reasoning_content })),
    ...inPieces(turn.say ?? '').map((piece) => ({ [field]: piece })),
    ...turn.calls.flatMap((_, index) => callDeltas(turn, index)),
  ]
}

function callDeltas(turn: WireTurn, index: number): Part[] {
  const whole = call(turn, index)
  const { name, arguments: text } = whole.function as { name: string; arguments: string }
  return [
    { tool_calls: [{ index, ...whole, function: { name, arguments: '' } }] },
    ...inPieces(text).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

function finishReason(turn: WireTurn): string {
  if (turn.stop === 'length') return 'length'
  return turn.calls.length > 0 ? 'tool_calls' : 'stop'
}

function usage({ usage: tokens }: WireTurn): Part {
  const input = tokens.input ?? 0
  const output = tokens.output ?? 0
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: told({
      cached_tokens: tokens.cacheRead,
      cache_write_tokens: tokens.cacheWrite,
    }),
    completion_tokens_details: told({ reasoning_tokens: tokens.reasoning }),
  }
}

import {
  EVENT_STREAM,
  inPieces,
  jsonAnswer,
  knownOnly,
  type WireAnswer,
  type WireTurn,
} from './wire-turn.ts'

type Part = Record<string, unknown>

/** Writes a chat completion, streamed in chunks or as one body; usage in a last chunk if requested. */
export function writeChat(turn: WireTurn, streams: boolean, asksUsage: boolean): WireAnswer {
  const head = { id: `chatcmpl-${turn.id}`, created: turn.createdAt, model: turn.model }
  if (!streams)
    return jsonAnswer({
      ...head,
      object: 'chat.completion',
      choices: [
        { index: 0, message: chatMessage(turn), logprobs: null, finish_reason: finishReason(turn) },
      ],
      usage: chatUsage(turn),
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
    ...(asksUsage ? [chunk([], { usage: chatUsage(turn) })] : []),
  ]
  return {
    contentType: EVENT_STREAM,
    chunks: [...chunks.map((value) => `data: ${JSON.stringify(value)}\n\n`), 'data: [DONE]\n\n'],
  }
}

function chatMessage(turn: WireTurn): Part {
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

function chatUsage({ usage: tokens }: WireTurn): Part {
  const input = tokens.input ?? 0
  const output = tokens.output ?? 0
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: knownOnly({
      cached_tokens: tokens.cacheRead,
      cache_write_tokens: tokens.cacheWrite,
    }),
    completion_tokens_details: knownOnly({ reasoning_tokens: tokens.reasoning }),
  }
}

type Item = Record<string, unknown>

/** Writes an OpenAI response, streamed with the event sequence of the real API or as one body. */
export function writeResponses(turn: WireTurn, streams: boolean): WireAnswer {
  const output = items(turn)
  const head = {
    id: `resp_${turn.id}`,
    object: 'response',
    created_at: turn.createdAt,
    model: turn.model,
    parallel_tool_calls: true,
    tools: [],
    tool_choice: 'auto',
    error: null,
  }
  const whole = { ...head, ...ending(turn), output, usage: responsesUsage(turn) }
  if (!streams) return jsonAnswer(whole)
  const begun = {
    ...head,
    status: 'in_progress',
    incomplete_details: null,
    output: [],
    usage: null,
  }
  const last = turn.stop === 'length' ? 'response.incomplete' : 'response.completed'
  const events: Item[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...output.flatMap((item, index) => itemEvents(item, index)),
    { type: last, response: whole },
  ]
  return {
    contentType: EVENT_STREAM,
    chunks: events.map(
      (event, sequence_number) =>
        `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
    ),
  }
}

function items(turn: WireTurn): Item[] {
  const text = turn.say === null ? [] : [responsesMessage(turn, turn.say)]
  const reason =
    turn.reason === null
      ? []
      : [
          {
            type: 'reasoning',
            id: `rs_${turn.id}`,
            summary: [{ type: 'summary_text', text: turn.reason }],
          },
        ]
  const calls = turn.calls.map(({ name, input }, index) => ({
    type: 'function_call',
    id: `fc_${turn.id}${index}`,
    call_id: `call_${turn.id}${index}`,
    name,
    arguments: JSON.stringify(input),
    status: 'completed',
  }))
  return [...reason, ...text, ...calls]
}

function responsesMessage(turn: WireTurn, text: string): Item {
  const part =
    turn.stop === 'refusal'
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', text, annotations: [], logprobs: [] }
  return {
    type: 'message',
    id: `msg_${turn.id}`,
    role: 'assistant',
    status: 'completed',
    content: [part],
  }
}

function itemEvents(item: Item, output_index: number): Item[] {
  const place = { item_id: item.id, output_index }
  const added = { type: 'response.output_item.added', output_index, item: begun(item) }
  const done = { type: 'response.output_item.done', output_index, item }
  if (item.type === 'message') return [added, ...textEvents(item, place), done]
  if (item.type !== 'function_call') return [added, done]
  return [
    added,
    ...inPieces(String(item.arguments)).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      ...place,
      delta,
    })),
    { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments },
    done,
  ]
}

function begun(item: Item): Item {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' }
  return { ...item, summary: [] }
}

function textEvents(item: Item, place: Item): Item[] {
  const part = (item.content as Item[])[0] as Item
  const kind = String(part.type)
  const field = kind === 'refusal' ? 'refusal' : 'text'
  const here = { ...place, content_index: 0 }
  return [
    { type: 'response.content_part.added', ...here, part: { ...part, [field]: '' } },
    ...inPieces(String(part[field])).map((delta) => ({
      type: `response.${kind}.delta`,
      ...here,
      delta,
    })),
    { type: `response.${kind}.done`, ...here, [field]: part[field] },
    { type: 'response.content_part.done', ...here, part },
  ]
}

function ending(turn: WireTurn): Item {
  return turn.stop === 'length'
    ? { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    : { status: 'completed', incomplete_details: null }
}

/** The real API always reports cached and reasoning tokens; codex rejects a response without them. */
function responsesUsage({ usage: tokens }: WireTurn): Item {
  const input = tokens.input ?? 0
  const output = tokens.output ?? 0
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: tokens.cacheRead ?? 0,
      ...knownOnly({ cache_write_tokens: tokens.cacheWrite }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: tokens.reasoning ?? 0 },
    total_tokens: input + output,
  }
}

import {
  EVENT_STREAM,
  inPieces,
  jsonAnswer,
  told,
  type WireAnswer,
  type WireTurn,
} from './wire-turn.ts'

type Item = Record<string, unknown>

/** An OpenAI response, streamed with the event sequence of the real API or as one body. */
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
  const whole = { ...head, ...ending(turn), output, usage: usage(turn) }
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
  const text = turn.say === null ? [] : [message(turn, turn.say)]
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

function message(turn: WireTurn, text: string): Item {
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

/** The real API always tells cached and reasoning tokens; codex refuses an answer without them. */
function usage({ usage: tokens }: WireTurn): Item {
  const input = tokens.input ?? 0
  const output = tokens.output ?? 0
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: tokens.cacheRead ?? 0,
      ...told({ cache_write_tokens: tokens.cacheWrite }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: tokens.reasoning ?? 0 },
    total_tokens: input + output,
  }
}

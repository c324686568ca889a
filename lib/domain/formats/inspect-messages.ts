import { parseObject } from '../text/index.ts'
import {
  type CallLink,
  callIdOf,
  linkCalls,
  type TranscriptStep,
  type TranscriptToolCall,
} from '../transcript/index.ts'

type Content = { type: 'reasoning'; reasoning: string } | { type: 'text'; text: string }
type Message = {
  id: string
  role: TranscriptStep['role']
  content: string | Content[]
  metadata: Record<string, unknown>
  [more: string]: unknown
}

/** Lists every turn of every conversation, in the order recorded by the gateway. */
export function writeMessages(steps: readonly TranscriptStep[]): Message[] {
  const links = linkCalls(steps)
  return steps.map((step) => writeMessage(step, links.get(step)))
}

function writeMessage(step: TranscriptStep, link: CallLink | undefined): Message {
  const { index, role, toolResult } = step
  const shared = { id: `step-${index}`, role, content: contentOf(step), metadata: metadataOf(step) }
  if (role === 'assistant') return { ...shared, ...answerOf(step) }
  if (toolResult === null) return shared
  const callId = link ? callIdOf(link) : toolResult.callId
  const requested = link?.step.toolCalls[link.place]?.name
  return {
    ...shared,
    role: 'tool' as const,
    ...(callId === null ? {} : { tool_call_id: callId }),
    ...(requested === undefined ? {} : { function: requested }),
  }
}

function answerOf(step: TranscriptStep) {
  const { toolCalls, model } = step
  return {
    source: 'generate',
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toToolCall(step)) }),
    ...(model === null ? {} : { model }),
  }
}

function contentOf({ text, reasoning, toolResult }: TranscriptStep): Message['content'] {
  const plain = text ?? toolResult?.text ?? ''
  if (reasoning === null) return plain
  return [
    { type: 'reasoning', reasoning },
    { type: 'text', text: plain },
  ]
}

/** Text that a person would read, without reasoning. */
export function textOfMessage({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
}

function metadataOf({ thread, call, mark, trouble, changes, cutChars }: TranscriptStep) {
  return {
    conversation: thread,
    gateway_call: call,
    ...(mark === null ? {} : { mark }),
    ...(trouble === null ? {} : { trouble }),
    ...(changes === null ? {} : { workspace_changes: changes.files }),
    ...(cutChars === 0 ? {} : { cut_characters: cutChars }),
  }
}

function toToolCall(step: TranscriptStep) {
  return ({ name, arguments: given }: TranscriptToolCall, place: number) => {
    const shared = { id: callIdOf({ step, place }), function: name, type: 'function' }
    const read = parseObject(given)
    return read === null
      ? { ...shared, arguments: {}, parse_error: `not a JSON object: ${given}` }
      : { ...shared, arguments: read }
  }
}

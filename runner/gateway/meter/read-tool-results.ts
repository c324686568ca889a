import type { Protocol } from '../protocol.ts'
import { at, listAt, textAt } from './json-value.ts'

/** What an agent told its model of one tool call; null = it did not say whether it failed. */
export type ToolResult = { id: string | null; name: string | null; failed: boolean | null }

/**
 * The results of tool calls that a request holds, in order; those of the whole conversation, as agents send it again each
 * time. What each protocol tells:
 * - Anthropic: `is_error` of a `tool_result`, absent on success; tools of the provider answer with an `…_error` object.
 * - Responses: a `function_call_output` and a `custom_tool_call_output` tell nothing, as their status `completed` means a
 *   whole item and not a tool that worked; `incomplete` and `failed` are failures. A patch has its own status, a shell
 *   its exit codes.
 * - Gemini: an `error` member in the response of a function is a failure; anything else is its output.
 * - Chat: nothing. A tool message is text.
 */
export function readToolResults(protocol: Protocol, body: unknown): ToolResult[] {
  switch (protocol) {
    case 'anthropic':
      return partsOf(body, 'messages', 'content').flatMap(readAnthropic)
    case 'openai-responses':
      return listAt(body, 'input').flatMap(readResponses)
    case 'gemini':
      return partsOf(body, 'contents', 'parts').flatMap(readGemini)
    case 'openai-chat':
      return []
  }
}

/** Those that follow the model's last word; Gemini's calls may come without an id, and then their place has to do. */
export function readLastResults(protocol: Protocol, body: unknown): ToolResult[] {
  if (protocol !== 'gemini') return []
  const contents = listAt(body, 'contents')
  const last = contents.findLastIndex((content) => at(content, 'role') === 'model')
  return readToolResults(protocol, { contents: contents.slice(last + 1) })
}

function partsOf(body: unknown, list: string, parts: string): unknown[] {
  return listAt(body, list).flatMap((item) => listAt(item, parts))
}

function readAnthropic(block: unknown): ToolResult[] {
  const type = textAt(block, 'type')
  if (!type?.endsWith('tool_result')) return []
  const failed =
    at(block, 'is_error') === true || textAt(block, 'content', 'type')?.endsWith('_error') === true
  return [{ id: textAt(block, 'tool_use_id'), name: null, failed }]
}

function readResponses(item: unknown): ToolResult[] {
  const type = textAt(item, 'type') ?? ''
  if (!type.endsWith('_call_output')) return []
  return [{ id: textAt(item, 'call_id'), name: null, failed: readOutput(type, item) }]
}

function readOutput(type: string, item: unknown): boolean | null {
  const status = textAt(item, 'status')
  if (status === 'incomplete' || status === 'failed') return true
  if (type === 'apply_patch_call_output') return status === 'completed' ? false : null
  const outcomes = listAt(item, 'output').map((part) => at(part, 'outcome'))
  if (type !== 'shell_call_output' || outcomes.length === 0) return null
  if (outcomes.some((one) => at(one, 'type') === 'timeout')) return true
  const codes = outcomes.map((one) => at(one, 'exit_code'))
  if (codes.some((code) => typeof code !== 'number')) return null
  return codes.some((code) => code !== 0)
}

function readGemini(part: unknown): ToolResult[] {
  const answer = at(part, 'functionResponse')
  if (typeof answer !== 'object' || answer === null) return []
  const error = at(answer, 'response', 'error')
  const failed = error !== undefined && error !== null && error !== '' && error !== false
  return [{ id: textAt(answer, 'id'), name: textAt(answer, 'name'), failed }]
}

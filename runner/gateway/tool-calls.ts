import { createHash } from 'node:crypto'
import { canonicalJson } from '#lib/domain/digest/index.ts'
import type { ToolCall } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { at, listAt, textAt } from './json-value.ts'

/** A tool call of the model: its name and a fingerprint, never its arguments. */
export type ToolAsk = {
  /** Links it to its result; null if the provider gave none. */
  id: string | null
  name: string
  /** Equal for the same tool with the same arguments; null if the arguments could not be read. */
  fingerprint: string | null
}

type Gathered = { id: string | null; name: string; pieces: string[]; value: unknown }

/** Maximum length of all arguments of a turn; what follows is not collected and gets no fingerprint. */
const MAX_CHARS = 8 << 20
const MAX_CALLS = 1000

/**
 * Collects the tool calls of one response; arguments come whole or in fragments, and are dropped after the response.
 */
export class RequestedTools {
  readonly #calls = new Map<string, Gathered>()
  #chars = 0

  /** Begins a call under a key unique in this response; `value` is its arguments if no text follows. */
  begin(key: string, call: { id: string | null; name: string; value?: unknown }): void {
    if (this.#calls.has(key) || this.#calls.size >= MAX_CALLS) return
    this.#calls.set(key, { pieces: [], value: undefined, ...call })
  }

  /** Adds a fragment of the arguments' text. */
  add(key: string, fragment: unknown): void {
    if (typeof fragment !== 'string' || fragment === '') return
    this.#chars += fragment.length
    const call = this.#calls.get(key)
    if (!call) return
    if (this.#chars <= MAX_CHARS) call.pieces.push(fragment)
    else Object.assign(call, { pieces: [], value: undefined })
  }

  /** Returns the calls in the order they began. */
  list(): ToolAsk[] {
    return [...this.#calls.values()].map(({ id, name, pieces, value }) => ({
      id,
      name,
      fingerprint: fingerprint(name, pieces.length > 0 ? pieces.join('') : value),
    }))
  }
}

/** Arguments in text form are parsed if they are JSON; member order and white space do not matter. */
function fingerprint(name: string, given: unknown): string | null {
  if (given === undefined || given === null) return null
  // Some providers send an empty text for no arguments.
  const parsed = typeof given === 'string' ? parseJson(given || '{}') : given
  try {
    const input = parsed === undefined ? `text ${given}` : `json ${canonicalJson(parsed)}`
    return createHash('sha256')
      .update(`${JSON.stringify(name)} ${input}`)
      .digest('base64url')
  } catch {
    return null // nested too deep for the parser
  }
}

type Followed = ToolAsk & { failed: boolean | null }

const MAX_RESULTS = 20_000
const MAX_ID_LENGTH = 200

/**
 * Follows the tool calls of an attempt from the model's response to the agent's report of their results in a later
 * request. Stores ids and fingerprints, no arguments and no results.
 */
export class ToolTrail {
  readonly #steps: Followed[][] = []
  /** First reported result of each id; requests repeat them. */
  readonly #results = new Map<string, boolean | null>()

  /** Reads the tool results of a request. */
  receive(protocol: Protocol, body: unknown): void {
    for (const { id, failed } of readToolResults(protocol, body)) {
      if (id === null || id.length > MAX_ID_LENGTH || this.#results.size >= MAX_RESULTS) continue
      if (!this.#results.has(id)) this.#results.set(id, failed)
    }
    this.#place(readLastResults(protocol, body))
  }

  /** Adds the tool calls of a model turn. */
  add(asks: readonly ToolAsk[]): void {
    this.#steps.push(asks.map((ask) => ({ ...ask, failed: null })))
  }

  /** Returns the tool calls of every step, in order; unreported results stay unknown. */
  steps(): ToolCall[][] {
    return this.#steps.map((calls) =>
      calls.map(({ id, fingerprint, failed }) => ({
        fingerprint,
        failed: (id === null ? null : this.#results.get(id)) ?? failed,
      })),
    )
  }

  /** Matches by position, only if the results name exactly the tools of the last step: unknown is better than wrong. */
  #place(results: readonly ToolResult[]): void {
    const calls = this.#steps.at(-1) ?? []
    const names = calls.map(({ name }) => name).join('\n')
    if (results.map(({ name }) => name).join('\n') !== names) return
    for (const [index, call] of calls.entries()) call.failed ??= results[index]?.failed ?? null
  }
}

/** An agent's report to its model on one tool call; null = success or failure not stated. */
type ToolResult = { id: string | null; name: string | null; failed: boolean | null }

/**
 * Reads the results of tool calls in a request, in order; agents repeat those of the whole conversation each time. Each
 * protocol reports:
 * - Anthropic: `is_error` of a `tool_result`, absent on success; tools of the provider return an `…_error` object.
 * - Responses: a `function_call_output` and a `custom_tool_call_output` state nothing: their status `completed` means a
 * complete item and not a tool that worked; `incomplete` and `failed` are failures. A patch has its own status, a shell
 * its exit codes.
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

/**
 * Returns the results after the model's last message; Gemini's calls may come without an id and are matched by
 * position.
 */
function readLastResults(protocol: Protocol, body: unknown): ToolResult[] {
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
  const result = at(part, 'functionResponse')
  if (typeof result !== 'object' || result === null) return []
  const error = at(result, 'response', 'error')
  const failed = error !== undefined && error !== null && error !== '' && error !== false
  return [{ id: textAt(result, 'id'), name: textAt(result, 'name'), failed }]
}

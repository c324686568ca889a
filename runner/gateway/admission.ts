import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Budgets } from './budgets.ts'
import { at, countAt, listAt, textAt } from './json-value.ts'

/** The most that a call can take of the budgets; Infinity = unknown. */
export type Reservation = { tokens: number; costMicroUsd: number }

/** Budget charged by calls that have ended. */
type Charged = { tokens: number; costMicroUsd: number }

/** A waiting call; see `OpenCall`. */
type WaitingCall = { isForwarded: boolean; unreadSinceMs: number | null }

/** Time that responses of running calls may stay unread before the next call stops waiting for them. */
const UNREAD_MS = 10_000
const LOOK_EACH_MS = 1000

export type CallAdmission = 'admitted' | 'again' | 'unread' | 'gone'

/**
 * Admits a call if the budget would not be exceeded even if every running call used its full reservation; otherwise the
 * call waits, in order of arrival, until one of them has ended. Parallel calls therefore overshoot a budget by one call
 * at most. A call never waits if none is running. Responses that their own client does not read would block the queue
 * forever, so after `UNREAD_MS` they count as taken.
 */
export class AdmissionLine {
  readonly #budgets: Pick<Budgets, 'maxTokens' | 'maxCostMicroUsd'>
  readonly #held = new Map<WaitingCall, Reservation>()
  readonly #line: WaitingCall[] = []
  readonly #unreadMs: number
  #change = new AbortController()

  constructor(budgets: Pick<Budgets, 'maxTokens' | 'maxCostMicroUsd'>, unreadMs = UNREAD_MS) {
    this.#budgets = budgets
    this.#unreadMs = unreadMs
  }

  /**
   * Returns immediately if the call may or must not be forwarded; `again` = something has changed, so check once more.
   */
  async enter(
    call: WaitingCall,
    {
      reservation,
      charged,
      gone,
    }: { reservation: Reservation; charged: Charged; gone: AbortSignal },
  ): Promise<CallAdmission> {
    if (!this.#line.includes(call)) this.#line.push(call)
    if (gone.aborted) return 'gone'
    if (this.#line[0] === call && this.#fits(charged)) {
      this.#leaveLine(call)
      this.#held.set(call, reservation)
      // Set synchronously, so that the next call counts it as a running step.
      call.isForwarded = true
      return 'admitted'
    }
    if (this.#isUnread()) return 'unread'
    await this.#changed(gone)
    return 'again'
  }

  /** Releases the reservation of a call that has ended. */
  leave(call: WaitingCall): void {
    this.#leaveLine(call)
    this.#held.delete(call)
    this.wake()
  }

  /** Makes all waiting calls check again. */
  wake(): void {
    const change = this.#change
    this.#change = new AbortController()
    change.abort()
  }

  #leaveLine(call: WaitingCall): void {
    const place = this.#line.indexOf(call)
    if (place < 0) return
    this.#line.splice(place, 1)
    this.wake()
  }

  #fits(charged: Charged): boolean {
    const { maxTokens, maxCostMicroUsd } = this.#budgets
    const held = [...this.#held.values()]
    const sum = (pick: (one: Reservation) => number) =>
      held.reduce((total, one) => total + pick(one), 0)
    if (held.length === 0) return true
    const hasTokens = maxTokens === null || charged.tokens + sum((one) => one.tokens) < maxTokens
    const hasCost =
      maxCostMicroUsd === null ||
      charged.costMicroUsd + sum((one) => one.costMicroUsd) < maxCostMicroUsd
    return hasTokens && hasCost
  }

  #isUnread(): boolean {
    const since = [...this.#held.keys()].map(({ unreadSinceMs }) => unreadSinceMs)
    const now = performance.now()
    return since.length > 0 && since.every((ms) => ms !== null && now - ms >= this.#unreadMs)
  }

  async #changed(gone: AbortSignal): Promise<void> {
    const { signal } = this.#change
    const stop = new AbortController()
    const quiet = () => {}
    await Promise.race([
      once(signal, 'abort', { signal: stop.signal }).catch(quiet),
      once(gone, 'abort', { signal: stop.signal }).catch(quiet),
      sleep(LOOK_EACH_MS, undefined, { signal: stop.signal }).catch(quiet),
    ])
    stop.abort()
  }
}

/** Maximum output tokens of a model in one response. */
const MAX_ANSWER_TOKENS = 128_000

const OPEN_ENDED = /"(?:file_id|file_uri|fileUri|file_url|cached_content|cachedContent)"\s*:/

/**
 * Maximum tokens of a request: a token of text has at least one byte, and a response ends at its limit. Provider
 * additions (its own tools, a stored conversation or files) are not bounded here.
 */
export function reserveTokens(
  protocol: Protocol,
  { json, text, bytes }: { json: unknown; text: string; bytes: Uint8Array },
): { input: number; output: number } {
  if (readsMore(protocol, { json, text }))
    return { input: Number.POSITIVE_INFINITY, output: Number.POSITIVE_INFINITY }
  const limits = [
    countAt(json, 'max_tokens'),
    countAt(json, 'max_completion_tokens'),
    countAt(json, 'max_output_tokens'),
    countAt(json, 'generationConfig', 'maxOutputTokens'),
  ].filter((limit) => limit !== null)
  const answers = countAt(json, 'n') ?? countAt(json, 'generationConfig', 'candidateCount') ?? 1
  const longest = limits.length > 0 ? Math.max(...limits) : MAX_ANSWER_TOKENS
  return { input: bytes.length, output: longest * Math.max(1, answers) }
}

/**
 * Returns true if the model reads more than the request: files, a stored conversation, results of the provider's tools.
 */
export function readsMore(
  protocol: Protocol,
  { json, text }: { json: unknown; text: string },
): boolean {
  return (
    OPEN_ENDED.test(text) ||
    textAt(json, 'previous_response_id') !== null ||
    (at(json, 'conversation') ?? null) !== null ||
    listAt(json, 'tools').some((tool) => isServerTool(protocol, tool))
  )
}

/** Tools that the provider runs within one response; the model reads their results. */
function isServerTool(protocol: Protocol, tool: unknown): boolean {
  const type = textAt(tool, 'type') ?? ''
  switch (protocol) {
    case 'anthropic':
      return /^(web_search|web_fetch|code_execution)/.test(type)
    case 'gemini':
      return (
        at(tool, 'functionDeclarations') === undefined &&
        at(tool, 'function_declarations') === undefined
      )
    case 'openai-responses':
      return /^(web_search|file_search|code_interpreter|image_generation|mcp)/.test(type)
    case 'openai-chat':
      return false
  }
}

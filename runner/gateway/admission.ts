import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Budgets } from './budgets.ts'
import { at, countAt, listAt, textAt } from './json-value.ts'

/** The most that a call can take of the budgets; Infinity = unknown. */
export type Reservation = { tokens: number; costMicroUsd: number }

/** What the calls that have ended count as. */
type Charged = { tokens: number; costMicroUsd: number }

/** A call that waits; see `OpenCall`. */
type WaitingCall = { isForwarded: boolean; unreadSinceMs: number | null }

/** How long responses of running calls may stay unread before the next call stops waiting for them. */
const UNREAD_MS = 10_000
const LOOK_EACH_MS = 1000

export type CallAdmission = 'admitted' | 'again' | 'unread' | 'gone'

/**
 * Lets a call out when the budget would not be spent even if the calls under way took all they may; else it waits, in
 * order of arrival, until one of them has ended. So parallel calls overshoot a budget by one call at most. A call that
 * finds nothing under way never waits. Answers that their own client does not read would block the line for ever, so
 * after some time they count as taken.
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

  /** Answers at once when the call may go or must not; `again` = something has changed: ask once more. */
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
      // At once, so that the next call that looks counts it as a step under way.
      call.isForwarded = true
      return 'admitted'
    }
    if (this.#isUnread()) return 'unread'
    await this.#changed(gone)
    return 'again'
  }

  /** The call is over, whatever became of it: what it held is free again. */
  leave(call: WaitingCall): void {
    this.#leaveLine(call)
    this.#held.delete(call)
    this.wake()
  }

  /** All waiting calls check again. */
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

/** No model writes more in one answer. */
const LONGEST_ANSWER = 128_000

const OPEN_ENDED = /"(?:file_id|file_uri|fileUri|file_url|cached_content|cachedContent)"\s*:/

/**
 * The most tokens that a request can cost: a token of text has a byte at least, and an answer ends at its limit. What the
 * provider adds itself (its own tools, a conversation or files that it keeps) has no bound here.
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
  const longest = limits.length > 0 ? Math.max(...limits) : LONGEST_ANSWER
  return { input: bytes.length, output: longest * Math.max(1, answers) }
}

/** Returns true if the model reads more than the request: files, a kept conversation, results of the provider's tools. */
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

/** Tools that the provider runs inside of one answer, and whose results it reads again. */
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

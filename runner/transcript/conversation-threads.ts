import { createHash } from 'node:crypto'
import type { TranscriptMark } from '#lib/domain/transcript/index.ts'
import type { Message } from './message-parts.ts'
import type { Conversation } from './read-messages.ts'

/** One conversation: the keys of its messages, in order. */
type Thread = {
  number: number
  keys: string[]
  /** The last key is a response that no request has repeated yet: agents may write it slightly differently. */
  isOpen: boolean
  system: string
  lastUsed: number
}

/** The part of a request that is new in its conversation; `place` is the position of its response. */
export type ReceivedMessages = {
  thread: number
  mark: TranscriptMark | null
  fresh: Message[]
  place: AnswerPlace
}
type AnswerPlace = { thread: Thread; length: number }

/** Maximum numbers kept: the least recently used threads and keys are dropped. */
const MAX_THREADS = 100
const MAX_SEEN = 200_000
/** A request of which a larger share was seen already is a rewritten conversation, not another one. */
const REWRITTEN_SHARE = 0.5

/**
 * Follows the conversations of an agent, which sends a complete one with each request, and reports the new part. A
 * shortened or changed conversation continues under its number and is marked; others get their own numbers.
 */
export class ConversationThreads {
  #threads: Thread[] = []
  readonly #seen = new Set<string>()
  readonly #systems = new Set<string>()
  readonly #byResponse = new Map<string, Thread>()
  #clock = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Handles a request. */
  receive({ system, messages, continues }: Conversation): ReceivedMessages {
    this.#clock += 1
    const systemKeys = system.map(keyOf)
    const freshSystem = system.filter((_, index) => this.#isNewSystem(systemKeys[index] ?? ''))
    const known = continues === null ? undefined : this.#byResponse.get(continues)
    const keys = [...(known?.keys ?? []), ...messages.map(keyOf)]
    const offset = keys.length - messages.length
    const found = this.#place(keys, systemKeys.join(' '))
    const { thread, from, mark, unseenOnly } = found
    const freshMessages = messages.filter(
      (_, index) =>
        index + offset >= from && !(unseenOnly && this.#seen.has(keys[index + offset] ?? '')),
    )
    for (const key of keys.slice(from)) this.#remember(key)
    thread.keys = keys
    thread.isOpen = false
    thread.lastUsed = this.#clock
    const isChanged = mark === null && freshSystem.length > 0 && thread.system !== ''
    thread.system = systemKeys.join(' ')
    return {
      thread: thread.number,
      mark: isChanged ? 'system-changed' : mark,
      fresh: [...freshSystem, ...freshMessages],
      place: { thread, length: keys.length },
    }
  }

  /** Handles the response to a request; returns the number of its conversation, a new one if two responses compete. */
  answer({ thread, length }: AnswerPlace, entry: Message, responseId: string | null): number {
    const key = keyOf(entry)
    const isTaken = thread.keys.length !== length
    const own = isTaken ? this.#open(thread.keys.slice(0, length), thread.system) : thread
    own.keys.push(key)
    own.isOpen = true
    this.#remember(key)
    if (responseId !== null) this.#byResponse.set(responseId, own)
    if (this.#byResponse.size > MAX_SEEN) this.#byResponse.clear()
    return own.number
  }

  #isNewSystem(key: string): boolean {
    if (this.#systems.has(key)) return false
    if (this.#systems.size < MAX_SEEN) this.#systems.add(key)
    return true
  }

  #remember(key: string): void {
    if (this.#seen.size < MAX_SEEN) this.#seen.add(key)
  }

  #place(keys: readonly string[], system: string) {
    const best = this.#closest(keys, system)
    if (best === null) return this.#unknown(keys)
    const { thread, shared } = best
    const isWhole = shared >= thread.keys.length
    if (isWhole)
      return {
        thread,
        from: shared,
        mark: shared === keys.length ? ('asked-again' as const) : null,
        unseenOnly: false,
      }
    // All of it was seen before, and the conversation has continued since.
    if (shared === keys.length)
      return {
        thread: this.#open([], system),
        from: shared,
        mark: 'branch' as const,
        unseenOnly: true,
      }
    return { thread, from: shared, mark: 'rewritten' as const, unseenOnly: true }
  }

  /** No conversation has this beginning: either one was rewritten from its start, or this is another. */
  #unknown(keys: readonly string[]) {
    const requested = new Set(keys)
    const held = this.#threads
      .map((thread) => ({ thread, seen: thread.keys.filter((key) => requested.has(key)).length }))
      .sort((a, b) => b.seen - a.seen || b.thread.lastUsed - a.thread.lastUsed)[0]
    if (held && held.seen > 0 && held.seen >= requested.size * REWRITTEN_SHARE)
      return { thread: held.thread, from: 0, mark: 'rewritten' as const, unseenOnly: true }
    const isFirst = this.#count === 0
    const mark = isFirst ? null : ('begun' as const)
    return { thread: this.#open([], ''), from: 0, mark, unseenOnly: false }
  }

  /** Finds the conversation with the longest common beginning; ties go to the same system text, then the latest. */
  #closest(keys: readonly string[], system: string): Shared | null {
    const shared = this.#threads.map((thread) => shareOf(thread, keys, system))
    const candidates = shared.filter((one) => one.shared > 0)
    return candidates.sort(byCloseness)[0] ?? null
  }

  #open(keys: string[], system: string): Thread {
    this.#count += 1
    const thread = { number: this.#count, keys, isOpen: false, system, lastUsed: this.#clock }
    this.#threads.push(thread)
    if (this.#threads.length > MAX_THREADS) {
      this.#threads.sort((a, b) => a.lastUsed - b.lastUsed)
      this.#threads = this.#threads.slice(1)
    }
    return thread
  }
}

type Shared = { thread: Thread; shared: number; rank: number }

function shareOf(thread: Thread, keys: readonly string[], system: string): Shared {
  const exact = commonLength(thread.keys, keys)
  const echo = isEcho(thread, keys, exact) ? 1 : 0
  const rank = (exact + echo) * 4 + (echo === 0 ? 2 : 0) + (thread.system === system ? 1 : 0)
  return { thread, shared: exact + echo, rank }
}

function byCloseness(a: Shared, b: Shared): number {
  return b.rank - a.rank || b.thread.lastUsed - a.thread.lastUsed
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const max = Math.min(a.length, b.length)
  let length = 0
  while (length < max && a[length] === b[length]) length += 1
  return length
}

/** Recognises the last response as the agent repeats it: without its reasoning, or trimmed. */
function isEcho({ keys, isOpen }: Thread, requested: readonly string[], at: number): boolean {
  const isLast = isOpen && at === keys.length - 1
  return isLast && isSpoken(keys[at]) && isSpoken(requested[at])
}

const SPOKEN = 'said '

function isSpoken(key: string | undefined): boolean {
  return key?.startsWith(SPOKEN) === true
}

/** Equal for the same entry in another request. Tool calls are identified by their ids: their text may change. */
export function keyOf({ role, text, toolCalls, toolResult }: Message): string {
  if (role === 'assistant') {
    const calls = toolCalls.map(({ id, name, arguments: given }) => id ?? [name, given])
    return calls.length > 0 ? `calls ${digest(JSON.stringify(calls))}` : SPOKEN + digest(text ?? '')
  }
  const result = toolResult === null ? '' : `${toolResult.callId} ${toolResult.text}`
  return `${role} ${digest(toolResult === null ? (text ?? '') : result)}`
}

function digest(text: string): string {
  return createHash('sha256').update(text.trim()).digest('base64').slice(0, 22)
}

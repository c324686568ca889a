import { createHash } from 'node:crypto'
import type { ToolCall } from '#lib/domain/no-progress.ts'
import type { Clock } from '../clock.ts'
import type { CallRecord } from './meter/call-record.ts'
import { at } from './meter/json-value.ts'
import { type TalliedPart, tally } from './meter/tally.ts'
import { ToolTrail } from './meter/tool-trail.ts'
import type { Protocol } from './protocol.ts'
import { UNKNOWN_TOKENS } from './tokens.ts'

/** A call under way: filled in by whoever learns something, sealed when it ends. */
export type OpenCall = { record: CallRecord; startedMs: number; isForwarded: boolean }

export type CallListener = (call: CallRecord) => void

/** All calls of one episode: opened on arrival, closed once, told to listeners, summed up on demand. */
export class CallLedger {
  readonly #clock: Clock
  readonly #onOwnError: (error: unknown) => void
  readonly #finished: CallRecord[] = []
  readonly #open = new Set<OpenCall>()
  readonly #seen = new Map<string, number>()
  readonly #listeners = new Set<CallListener>()
  readonly #trail = new ToolTrail()
  #tally: TalliedPart | null = null
  #number = 0

  constructor(clock: Clock, onOwnError: (error: unknown) => void) {
    this.#clock = clock
    this.#onOwnError = onOwnError
  }

  get inFlight(): number {
    return this.#open.size
  }

  /** Calls that a provider is working on. */
  get underWay(): number {
    return [...this.#open].filter(({ isForwarded }) => isForwarded).length
  }

  get metered(): number {
    return this.#number
  }

  get abandoned(): number {
    return this.#finished.filter(({ ending }) => ending === 'client-gone').length
  }

  open(asked: {
    protocol: Protocol
    path: string
    streams: boolean
    model: string | null
    bytes: Uint8Array
    json: unknown
  }): OpenCall {
    this.#number += 1
    this.#trail.hear(asked.protocol, asked.json)
    const key = retryKey(asked.path, asked.bytes, asked.json)
    const retryOf = this.#seen.get(key) ?? null
    if (retryOf === null) this.#seen.set(key, this.#number)
    const call = {
      record: { ...blank(asked), number: this.#number, startedAt: this.#clock.now(), retryOf },
      startedMs: this.#clock.monotonicMs(),
      isForwarded: false,
    }
    this.#open.add(call)
    return call
  }

  close(call: OpenCall): void {
    if (!this.#open.delete(call)) return
    call.record.durationMs = this.sinceStart(call)
    this.#finished.push(call.record)
    if (call.record.isStep) this.#trail.add(call.record.toolAsks)
    this.#tally = null
    for (const listener of this.#listeners) {
      try {
        listener(call.record)
      } catch (error) {
        this.#onOwnError(error)
      }
    }
  }

  /** Milliseconds since the request arrived, with a tenth. */
  sinceStart(call: OpenCall): number {
    return Math.round((this.#clock.monotonicMs() - call.startedMs) * 10) / 10
  }

  /** The tool calls of every step, in the order in which the steps ended. */
  toolSteps(): ToolCall[][] {
    return this.#trail.steps()
  }

  tally(): TalliedPart {
    this.#tally ??= tally(this.#finished)
    return this.#tally
  }

  listen(listener: CallListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** Equal for the same request sent again. codex shuffles its client metadata on every try, so that part is left out. */
function retryKey(path: string, bytes: Uint8Array, json: unknown): string {
  const isShuffled = at(json, 'client_metadata') !== undefined
  const body = isShuffled ? JSON.stringify({ ...(json as object), client_metadata: null }) : bytes
  return createHash('sha256').update(path).update('\n').update(body).digest('base64')
}

function blank(asked: {
  protocol: Protocol
  path: string
  streams: boolean
  model: string | null
  bytes: Uint8Array
}): CallRecord {
  return {
    number: 0,
    protocol: asked.protocol,
    path: asked.path,
    streams: asked.streams,
    startedAt: '',
    retryOf: null,
    source: 'gateway',
    status: null,
    ending: 'refused',
    isStep: false,
    fault: null,
    modelAsked: asked.model,
    model: null,
    tokens: UNKNOWN_TOKENS,
    rawUsage: null,
    price: { costMicroUsd: null, priceTable: null },
    toolCalls: [],
    toolAsks: [],
    stopReason: null,
    refused: false,
    streamError: null,
    isAccountTrouble: false,
    temperature: null,
    usageInjected: false,
    requestBytes: asked.bytes.length,
    responseBytes: 0,
    firstByteMs: null,
    durationMs: 0,
  }
}

import { createHash } from 'node:crypto'
import { listTemperatures, sumModels, type ToolCall } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Clock } from '../engine/clock.ts'
import { type CallRecord, costSourceOf, cut, isBilled } from './call-record.ts'
import type { GatewayReport } from './gateway-report.ts'
import { at } from './json-value.ts'
import { findProviderFailure } from './provider-failure.ts'
import { sumTokens, UNKNOWN_TOKENS } from './tokens.ts'
import { ToolTrail } from './tool-calls.ts'

/** A running call: filled in step by step, sealed when it ends. */
export type OpenCall = {
  record: CallRecord
  startedMs: number
  isForwarded: boolean
  /** Since when the client has not taken data sent to it; null = it reads. */
  unreadSinceMs: number | null
}

export type CallListener = (call: CallRecord) => void

const MAX_IDS = 100_000

/** All calls of one episode: opened on arrival, closed once, reported to listeners, summed on demand. */
export class CallLedger {
  readonly #clock: Clock
  readonly #onOwnError: (error: unknown) => void
  readonly #finished: CallRecord[] = []
  readonly #open = new Set<OpenCall>()
  readonly #seen = new Map<string, number>()
  readonly #listeners = new Set<CallListener>()
  readonly #trail = new ToolTrail()
  readonly #ids = new Set<string>()
  #tally: TalliedPart | null = null
  #number = 0

  constructor(clock: Clock, onOwnError: (error: unknown) => void) {
    this.#clock = clock
    this.#onOwnError = onOwnError
  }

  get inFlight(): number {
    return this.#open.size
  }

  /** True while a call is running, or if the client left the last one before its end. */
  get isWaiting(): boolean {
    return this.#open.size > 0 || this.#finished.at(-1)?.ending === 'client-gone'
  }

  /** Number of calls that a provider is working on. */
  get underWay(): number {
    return [...this.#open].filter(({ isForwarded }) => isForwarded).length
  }

  get metered(): number {
    return this.#number
  }

  get abandoned(): number {
    return this.#finished.filter(({ ending }) => ending === 'client-gone').length
  }

  open(request: {
    protocol: Protocol
    path: string
    streams: boolean
    model: string | null
    bytes: Uint8Array
    json: unknown
  }): OpenCall {
    this.#number += 1
    this.#trail.receive(request.protocol, request.json)
    const key = retryKey(request.path, request.bytes, request.json)
    const retryOf = this.#seen.get(key) ?? null
    if (retryOf === null) this.#seen.set(key, this.#number)
    const call = {
      record: { ...blank(request), number: this.#number, startedAt: this.#clock.now(), retryOf },
      startedMs: this.#clock.monotonicMs(),
      isForwarded: false,
      unreadSinceMs: null,
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

  /** Ids under which the provider stored responses of this attempt; any other id is foreign. */
  get idsOfAnswers(): ReadonlySet<string> {
    return this.#ids
  }

  noteIds(ids: ReadonlySet<string>): void {
    for (const id of ids) if (this.#ids.size < MAX_IDS) this.#ids.add(id)
  }

  /** Milliseconds since the request arrived, to one decimal. */
  sinceStart(call: OpenCall): number {
    return Math.round((this.#clock.monotonicMs() - call.startedMs) * 10) / 10
  }

  /** The tool calls of every step, in the order the steps ended. */
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

/**
 * Equal if the same request is sent again. codex shuffles its client metadata on every try, so that part is left out.
 */
function retryKey(path: string, bytes: Uint8Array, json: unknown): string {
  const isShuffled = at(json, 'client_metadata') !== undefined
  const body = isShuffled ? JSON.stringify({ ...(json as object), client_metadata: null }) : bytes
  return createHash('sha256').update(path).update('\n').update(body).digest('base64')
}

function blank(request: {
  protocol: Protocol
  path: string
  streams: boolean
  model: string | null
  bytes: Uint8Array
}): CallRecord {
  return {
    number: 0,
    protocol: request.protocol,
    path: request.path,
    streams: request.streams,
    startedAt: '',
    retryOf: null,
    source: 'gateway',
    status: null,
    ending: 'refused',
    isStep: false,
    fault: null,
    modelAsked: request.model,
    model: null,
    tokens: UNKNOWN_TOKENS,
    stated: UNKNOWN_TOKENS,
    rawUsage: null,
    price: { costMicroUsd: null, priceTable: null },
    unknownBecause: null,
    atLeastMicroUsd: 0,
    charge: { tokens: 0, costMicroUsd: 0, isEstimated: false },
    mayBeBilled: false,
    implausible: null,
    toolCalls: [],
    toolAsks: [],
    stopReason: null,
    refused: false,
    streamError: null,
    failure: null,
    errorMessage: null,
    retryAt: null,
    temperature: null,
    usageInjected: false,
    toolsLeftOut: [],
    requestBytes: request.bytes.length,
    responseBytes: 0,
    firstByteMs: null,
    durationMs: 0,
  }
}

/** Stop reasons after which an agent continues: the response was cut, or tools are to be called. */
const UNFINISHED = /length|max_?(output_)?tokens|incomplete|tool|function|pause/i

function isFinalAnswer({ isStep, toolCalls, stopReason }: CallRecord): boolean {
  return isStep && toolCalls.length === 0 && !UNFINISHED.test(stopReason ?? '')
}

function endOf({ startedAt, durationMs }: CallRecord): string {
  return new Date(Date.parse(startedAt) + durationMs).toISOString()
}

/** The fields of a call that its evidence line has too, so that both give the same sums. */
function summedPart({ model, modelAsked, temperature, tokens, toolCalls }: CallRecord) {
  return {
    model: cut(model),
    modelAsked: cut(modelAsked),
    temperature: temperature?.sent,
    tokens,
    toolCalls,
  }
}

type TalliedPart = Omit<
  GatewayReport,
  'isWaiting' | 'requests' | 'exhausted' | 'faults' | 'faultOutcomes' | 'replayMisses' | 'ownErrors'
>

/** Sums the finished calls of one episode. */
function tally(calls: readonly CallRecord[]): TalliedPart {
  const billed = calls.filter(isBilled)
  const inOrder = billed.toSorted((a, b) => a.number - b.number).map(summedPart)
  const steps = calls.filter(({ isStep }) => isStep)
  const last = calls.at(-1)
  return {
    ...sumTokens(billed),
    ...sumCost(billed),
    charged: sumCharges(billed),
    unknownBecause: countReasons(billed.map(({ unknownBecause }) => unknownBecause)),
    steps: steps.length,
    toolCalls: countWords(steps.flatMap(({ toolCalls }) => toolCalls)),
    firstTool: steps.find(({ toolCalls }) => toolCalls.length > 0)?.toolCalls[0] ?? null,
    finalAnswerAt: last && isFinalAnswer(last) ? endOf(last) : null,
    stopReasons: countWords(steps.flatMap(({ stopReason }) => stopReason ?? [])),
    refusals: steps.filter(({ refused }) => refused).length,
    models: [...new Set(billed.flatMap(({ model }) => cut(model) ?? []))],
    retries: calls.filter(({ retryOf }) => retryOf !== null).length,
    providerErrors: countWords(
      calls.flatMap((call) =>
        call.source !== 'gateway' && call.status !== null && call.status >= 400
          ? String(call.status)
          : [],
      ),
    ),
    providerFailure: findProviderFailure(calls),
    usedModels: sumModels(inOrder),
    temperatures: listTemperatures(inOrder),
    implausible: countReasons(billed.map(({ implausible }) => implausible)),
    wall: {
      firstByteMs: sum(calls.map(({ firstByteMs }) => firstByteMs ?? 0)),
      answerMs: sum(calls.map(({ durationMs }) => durationMs)),
    },
  }
}

type CostSums = Pick<
  TalliedPart,
  'costMicroUsd' | 'knownCostMicroUsd' | 'unpricedCalls' | 'priceTable' | 'costSources'
>

function sumCost(billed: readonly CallRecord[]): CostSums {
  const unpricedCalls = billed.filter(({ price }) => price.costMicroUsd === null).length
  const known = sum(
    billed.map(({ price, atLeastMicroUsd }) => price.costMicroUsd ?? atLeastMicroUsd),
  )
  return {
    costMicroUsd: unpricedCalls > 0 ? null : known,
    knownCostMicroUsd: known,
    unpricedCalls,
    priceTable: billed.find(({ price }) => price.priceTable !== null)?.price.priceTable ?? null,
    costSources: countWords(billed.map(({ price }) => costSourceOf(price))),
  }
}

function sumCharges(billed: readonly CallRecord[]): TalliedPart['charged'] {
  return {
    tokens: sum(billed.map(({ charge }) => charge.tokens)),
    costMicroUsd: sum(billed.map(({ charge }) => charge.costMicroUsd)),
    estimatedCalls: billed.filter(({ charge }) => charge.isEstimated).length,
  }
}

const MAX_REASONS = 20

function countReasons(reasons: readonly (string | null)[]): TalliedPart['unknownBecause'] {
  const counts = countWords(reasons.flatMap((reason) => cut(reason) ?? []))
  return Object.entries(counts)
    .slice(0, MAX_REASONS)
    .map(([reason, calls]) => ({ reason, calls }))
}

function countWords(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Object.fromEntries(counts)
}

function sum(values: readonly number[]): number {
  return Math.round(values.reduce((total, value) => total + value, 0) * 10) / 10
}

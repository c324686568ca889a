import type { Protocol } from '#lib/domain/runs/index.ts'
import type {
  TranscriptMark,
  TranscriptStep,
  WorkspaceChanges,
} from '#lib/domain/transcript/index.ts'
import type { CallRecord } from '../gateway/call-record.ts'
import { isBilled } from '../gateway/call-record.ts'
import { AnswerTape } from './answer-tape.ts'
import { ConversationThreads, type ReceivedMessages } from './conversation-threads.ts'
import type { Message } from './message-parts.ts'
import { readRequest } from './read-messages.ts'
import type { StepDraft, TranscriptFile } from './transcript-file.ts'
import type { WorkspaceWatch } from './workspace-watch.ts'

/** A request without a response is recorded after this time; one with a response, when that ends. */
const PATIENCE_MS = 150
/** Steps written in one go, before other attempts of this process get the CPU. */
const STEPS_AT_ONCE = 50

type ModelRequest = { protocol: Protocol; json: unknown }

type CallUnderWay = {
  request: ModelRequest | null
  atMs: number
  tape: AnswerTape
  looked: Promise<WorkspaceChanges | null> | null
  heard: ReceivedMessages | null
  /** Observed on arrival, and not yet written with a step. */
  changes: WorkspaceChanges | null
  timer: NodeJS.Timeout | null
}

/**
 * Writes the transcript from a gateway's events: the new part of each request, then its response. All reading happens
 * after the bytes were passed on, one call after the other; a failure here ends the transcript and never the attempt.
 */
export class Transcriber {
  readonly #file: TranscriptFile
  readonly #watch: WorkspaceWatch | null
  readonly #nowMs: () => number
  readonly #startedMs: number
  readonly #threads = new ConversationThreads()
  readonly #calls = new Map<number, CallUnderWay>()
  #queue: Promise<void>
  #soFar: TranscriptStep['soFar'] = { input: 0, output: 0, cached: 0, costMicroUsd: 0 }
  #isEnded = false
  #waiting = 0
  /** Failure of the transcriber itself; null = none. */
  problem: string | null = null

  constructor(file: TranscriptFile, watch: WorkspaceWatch | null, nowMs: () => number) {
    this.#file = file
    this.#watch = watch
    this.#nowMs = nowMs
    this.#startedMs = nowMs()
    this.#queue = watch === null ? Promise.resolve() : watch.look().then(() => {})
  }

  /** Queues a request; it is read later. */
  ask(call: number, request: ModelRequest): void {
    const one: CallUnderWay = {
      request,
      atMs: this.#sinceStart(),
      tape: new AnswerTape(request.protocol),
      looked: this.#watch?.look() ?? null,
      heard: null,
      changes: null,
      timer: null,
    }
    one.timer = setTimeout(() => this.#enqueue(() => this.#write(call, one)), PATIENCE_MS)
    one.timer.unref()
    this.#calls.set(call, one)
  }

  /** Adds decoded bytes of a response. */
  receive(call: number, chunk: Uint8Array): void {
    this.#calls.get(call)?.tape.receive(chunk)
  }

  /** Handles the end of a call; its record is complete. */
  settle(record: CallRecord): void {
    const one = this.#calls.get(record.number)
    if (!one) return
    this.#calls.delete(record.number)
    if (one.timer) clearTimeout(one.timer)
    const atMs = this.#sinceStart()
    this.#enqueue(async () => {
      await this.#write(record.number, one)
      this.#writeAnswer(record, one, atMs)
    })
  }

  /** Writes what is left. Afterwards the file is complete except for its findings. */
  async end(): Promise<void> {
    if (this.#isEnded) return await this.#queue
    this.#isEnded = true
    for (const [call, one] of this.#calls) {
      if (one.timer) clearTimeout(one.timer)
      this.#enqueue(() => this.#write(call, one))
    }
    this.#calls.clear()
    this.#enqueue(async () => {
      const changes = (await this.#watch?.look()) ?? null
      this.#file.end({ threads: this.#threads.count, changes })
    })
    await this.#queue
  }

  #sinceStart(): number {
    return Math.max(0, Math.round(this.#nowMs() - this.#startedMs))
  }

  #enqueue(work: () => Promise<void>): void {
    this.#waiting += 1
    this.#queue = this.#queue.then(async () => {
      this.#waiting -= 1
      if (this.problem !== null) return
      // Lets pending work of others run first.
      await new Promise(setImmediate)
      try {
        await work()
        if (this.#waiting === 0) this.#file.flush()
      } catch (error) {
        this.problem = error instanceof Error ? error.message : String(error)
      }
    })
  }

  /** Writes the new part of a call's request, once. */
  async #write(call: number, one: CallUnderWay): Promise<void> {
    const { request, atMs } = one
    if (request === null) return
    one.request = null
    const heard = this.#threads.receive(readRequest(request.protocol, request.json))
    one.heard = heard
    one.changes = (await one.looked) ?? null
    let written = 0
    for (const entry of heard.fresh) {
      const { mark } = heard
      const { changes } = one
      const place = { call, atMs, thread: heard.thread, changes }
      this.#file.add({ ...this.#blank(entry, mark), ...place })
      // The first new step carries the changes; if the request had nothing new, the response does.
      heard.mark = null
      one.changes = null
      if (++written % STEPS_AT_ONCE === 0) await new Promise(setImmediate)
    }
  }

  #writeAnswer(record: CallRecord, { tape, heard, changes }: CallUnderWay, atMs: number): void {
    if (heard === null) return
    const { entry, responseId } = tape.read()
    const isSaid = entry.text !== null || entry.reasoning !== null || entry.toolCalls.length > 0
    const thread = isSaid ? this.#threads.answer(heard.place, entry, responseId) : heard.thread
    const isWhole = record.ending === 'whole' && record.status !== null && record.status < 300
    if (isBilled(record)) this.#addUp(record)
    const { input, output, cacheRead } = record.tokens
    const mark = heard.mark ?? (thread === heard.thread ? null : 'branch')
    this.#file.add({
      ...this.#blank(entry, mark),
      call: record.number,
      atMs,
      thread,
      changes,
      model: record.model ?? record.modelAsked,
      trouble: isWhole && record.streamError === null ? null : describeFailure(record),
      tokens: isBilled(record) ? { input, output, cached: cacheRead } : null,
      costMicroUsd: isBilled(record) ? record.price.costMicroUsd : null,
      soFar: this.#soFar,
    })
  }

  #blank(entry: Message, mark: TranscriptMark | null): Omit<StepDraft, 'call' | 'atMs' | 'thread'> {
    const unknown = { model: null, trouble: null, tokens: null, costMicroUsd: null, changes: null }
    return { ...entry, ...unknown, mark, soFar: this.#soFar }
  }

  #addUp({ tokens, price }: CallRecord): void {
    const { input, output, cached, costMicroUsd } = this.#soFar
    this.#soFar = {
      input: add(input, tokens.input),
      output: add(output, tokens.output),
      cached: add(cached, tokens.cacheRead),
      costMicroUsd: add(costMicroUsd, price.costMicroUsd),
    }
  }
}

/** A sum with an unknown part is unknown. */
function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

function describeFailure({ ending, status, streamError, fault }: CallRecord): string {
  const parts = [
    status === null ? 'no status' : `status ${status}`,
    ending === 'whole' ? null : ending,
    fault === null ? null : `injected fault ${fault}`,
    streamError,
  ]
  return parts.filter(Boolean).join(', ').slice(0, 200)
}

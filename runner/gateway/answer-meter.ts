import { once } from 'node:events'
import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  type ZlibOptions,
} from 'node:zlib'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'

import { readChat, readResponses } from './read-openai.ts'
import type { Reading, TurnReader } from './read-turn.ts'
import { readAnthropic, readGemini } from './read-turn.ts'
import { SseParser } from './sse-parser.ts'

const MAX_EVENT_BYTES = 16 << 20
const MAX_BODY_BYTES = 32 << 20

const READERS: Record<Protocol, () => TurnReader> = {
  anthropic: readAnthropic,
  'openai-responses': readResponses,
  'openai-chat': readChat,
  gemini: readGemini,
}

/** A truncated stream still yields the data before the cut. */
const LENIENT: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH }

const DECODERS: Record<string, () => Transform> = {
  gzip: () => createGunzip(LENIENT),
  'x-gzip': () => createGunzip(LENIENT),
  deflate: () => createInflate(LENIENT),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}

/**
 * Reads a response's bytes in parallel with the client: decodes them, reads events or one JSON body, bounded in memory.
 * Unreadable content leaves the reading unknown and never stops the response.
 */
export class AnswerMeter {
  readonly #reader: TurnReader
  readonly #decoder: Transform | null
  readonly #sse: SseParser | null
  readonly #onPlain: (chunk: Uint8Array) => void
  #pieces: Uint8Array[] = []
  #bytes = 0
  #unreadable = false

  constructor(
    protocol: Protocol,
    headers: { type: string; encoding: string },
    onPlain: (chunk: Uint8Array) => void = () => {},
  ) {
    this.#reader = READERS[protocol]()
    this.#onPlain = onPlain
    const isStream = headers.type.includes('text/event-stream')
    this.#sse = isStream
      ? new SseParser(MAX_EVENT_BYTES, ({ name, data }) => this.#reader.event(name, data))
      : null
    const encoding = headers.encoding.trim().toLowerCase()
    const decoder = DECODERS[encoding]
    this.#decoder = decoder ? decoder() : null
    this.#unreadable = !decoder && encoding !== '' && encoding !== 'identity'
    this.#decoder?.on('data', (chunk: Uint8Array) => this.#take(chunk))
    this.#decoder?.on('error', () => (this.#unreadable = true))
  }

  /** Returns a promise only when a decoder needs the source to wait. */
  write(chunk: Uint8Array): Promise<unknown> | undefined {
    if (this.#unreadable) return undefined
    if (!this.#decoder) {
      this.#take(chunk)
      return undefined
    }
    return this.#decoder.write(chunk) ? undefined : settled(this.#decoder, 'drain')
  }

  /**
   * Ends the reading of a response, complete or not; `readable` is false if its encoding could not be undone.
   * `plainBytes` counts the decoded bytes.
   */
  async end(): Promise<Reading & { readable: boolean; plainBytes: number }> {
    if (this.#decoder && !this.#unreadable) {
      this.#decoder.end()
      await settled(this.#decoder, 'end')
    }
    this.#decoder?.destroy()
    if (this.#sse) this.#sse.end()
    else if (this.#bytes <= MAX_BODY_BYTES)
      this.#reader.body(parseJson(Buffer.concat(this.#pieces).toString('utf8')))
    const read = { readable: !this.#unreadable, plainBytes: this.#bytes }
    return { ...this.#reader.reading, ...read }
  }

  #take(chunk: Uint8Array): void {
    this.#onPlain(chunk)
    this.#bytes += chunk.length
    if (this.#sse) this.#sse.push(chunk)
    else if (this.#bytes <= MAX_BODY_BYTES) this.#pieces.push(chunk)
    else this.#pieces = []
  }
}

async function settled(decoder: Transform, event: 'drain' | 'end'): Promise<void> {
  const stop = new AbortController()
  const when = (name: string) => once(decoder, name, { signal: stop.signal }).catch(() => {})
  if (!decoder.errored && !decoder.readableEnded) await Promise.race([when(event), when('close')])
  stop.abort()
}

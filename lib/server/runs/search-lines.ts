import type { SearchHit, SearchPart, SearchPartial } from '../../domain/api/index.ts'
import type { ByteReader, OpenReader } from '../evidence/byte-reader.ts'
import { indexLines, type LineIndex } from './read-lines.ts'

const NEWLINE = 0x0a
const SAMPLE_BYTES = 64 * 1024
/** Time limit of a search in any file. */
const MAX_MS = 10_000

type SearchOptions = {
  text: string
  /** First line to search, counted from 1. */
  from: number
  limit: number
  signal: AbortSignal
}

/**
 * Yields the lines of a file that contain a text, ignoring ASCII case, each once, step by step, and at last whether
 * that is all. The text is compared as bytes: one interrupted by a colour sequence is not found.
 */
export async function* searchLines(
  open: OpenReader,
  options: SearchOptions,
): AsyncGenerator<SearchPart> {
  const indexed = await indexLines(open)
  const file = indexed && (await open())
  if (!file) return
  try {
    await indexed.whole
    const sample = await file.read(Buffer.allocUnsafe(SAMPLE_BYTES), 0)
    const find = makeFinder(options.text, sample)
    yield* new Search(file, indexed.index, { ...options, find }).run()
  } finally {
    await file.close()
  }
}

class Search {
  readonly #file: ByteReader
  readonly #index: LineIndex
  readonly #options: SearchOptions & { find: FindBytes }
  readonly #overlap: number
  #found = 0
  /** The line of the last hit, from 0. */
  #lastLine = -1

  constructor(file: ByteReader, index: LineIndex, options: SearchOptions & { find: FindBytes }) {
    this.#file = file
    this.#index = index
    this.#options = options
    this.#overlap = Buffer.byteLength(options.text) - 1
    this.#lastLine = options.from - 2
  }

  async *run(): AsyncGenerator<SearchPart> {
    const { stepBytes, sizeBytes } = this.#index
    const { from, signal } = this.#options
    const deadline = performance.now() + MAX_MS
    const buffer = Buffer.allocUnsafe(stepBytes + this.#overlap)
    let step = from <= 1 ? 0 : this.#index.stepOfLine(from - 1)
    while (step * stepBytes < sizeBytes && !signal.aborted && this.#found < this.#options.limit) {
      if (performance.now() > deadline) return yield this.#end('time', step)
      const bytes = await this.#file.read(buffer, step * stepBytes)
      const hits = this.#searchStep(bytes, step)
      step++
      if (hits.length > 0) yield { hits, scannedBytes: this.#scanned(step) }
    }
    yield this.#end(this.#found < this.#options.limit ? null : 'limit', step)
  }

  #end(partial: SearchPartial | null, step: number): SearchPart {
    const nextLine = { limit: this.#lastLine + 2, time: this.#index.endsBefore(step) + 1 }
    return {
      partial,
      nextLine: partial && nextLine[partial],
      scannedBytes: this.#scanned(step),
    }
  }

  #scanned(steps: number): number {
    return Math.min(this.#index.sizeBytes, steps * this.#index.stepBytes)
  }

  /** Finds the hits that begin in a step; each line counts once, also one that began in an earlier step. */
  #searchStep(bytes: Buffer, step: number): SearchHit[] {
    const hits: SearchHit[] = []
    const own = Math.min(bytes.length, this.#index.stepBytes)
    let line = this.#index.endsBefore(step)
    let counted = 0
    for (let from = 0; this.#found < this.#options.limit; ) {
      const at = this.#options.find(bytes, from)
      if (at === -1 || at >= own) break
      for (let end = bytes.indexOf(NEWLINE, counted); end !== -1 && end < at; ) {
        line++
        counted = end + 1
        end = bytes.indexOf(NEWLINE, counted)
      }
      if (line > this.#lastLine) {
        hits.push({ line: line + 1, offset: step * this.#index.stepBytes + at })
        this.#found++
        this.#lastLine = line
      }
      const lineEnd = bytes.indexOf(NEWLINE, at)
      if (lineEnd === -1) break
      from = lineEnd + 1
    }
    return hits
  }
}

/** Returns the byte offset of a text from a position, or -1. */
type FindBytes = (bytes: Buffer, from: number) => number

const isLetter = (byte: number) => byte >= 97 && byte <= 122
const upper = (byte: number) => (isLetter(byte) ? byte - 32 : byte)

/** Maps bytes to lower case, for ASCII letters only. */
const FOLD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 65 && byte <= 90 ? byte + 32 : byte,
)

/** Nanoseconds per byte, measured on logs: a native search for one byte, a check of a candidate, one skip. */
const COST = { scan: 0.4, look: 35, skip: 7 }

/**
 * Creates a search for a text that ignores the case of ASCII letters. It searches natively for the rarest byte of the
 * text, or with skips when all its bytes are frequent; `sample` provides the frequencies. Throws for an empty text.
 */
export function makeFinder(text: string, sample: Buffer): FindBytes {
  const wanted = Buffer.from(Buffer.from(text).map((byte) => FOLD[byte] ?? byte))
  if (wanted.length === 0) throw new Error('nothing to search for')
  const counts = new Float64Array(256)
  for (const byte of sample) counts[byte] = (counts[byte] ?? 0) + 1
  const share = (byte: number) => {
    const both = (counts[byte] ?? 0) + (isLetter(byte) ? (counts[upper(byte)] ?? 0) : 0)
    return both / Math.max(1, sample.length)
  }
  const shares = [...wanted].map(share)
  const rarest = shares.indexOf(Math.min(...shares))
  const byRarest = 2 * COST.scan + (shares[rarest] ?? 1) * COST.look
  return byRarest <= COST.skip / wanted.length ? findByByte(wanted, rarest) : findBySkips(wanted)
}

function findByByte(wanted: Buffer, place: number): FindBytes {
  const low = wanted[place] ?? 0
  const high = upper(low)
  const next = (bytes: Buffer, byte: number, from: number) => {
    const at = bytes.indexOf(byte, from)
    return at === -1 ? Number.POSITIVE_INFINITY : at
  }
  return (bytes, from) => {
    let ofLow = next(bytes, low, from + place)
    let ofHigh = high === low ? Number.POSITIVE_INFINITY : next(bytes, high, from + place)
    for (let at = Math.min(ofLow, ofHigh); at < bytes.length; at = Math.min(ofLow, ofHigh)) {
      if (matchesAt(bytes, at - place, wanted)) return at - place
      if (at === ofLow) ofLow = next(bytes, low, at + 1)
      else ofHigh = next(bytes, high, at + 1)
    }
    return -1
  }
}

/** Boyer-Moore-Horspool. */
function findBySkips(wanted: Buffer): FindBytes {
  const { length } = wanted
  const skips = new Int32Array(256).fill(length)
  for (let at = 0; at < length - 1; at++) {
    const byte = wanted[at] ?? 0
    skips[byte] = length - 1 - at
    skips[upper(byte)] = length - 1 - at
  }
  const last = wanted[length - 1]
  return (bytes, from) => {
    for (let end = from + length - 1; end < bytes.length; ) {
      const byte = bytes[end] ?? 0
      if (FOLD[byte] === last && matchesAt(bytes, end - length + 1, wanted)) return end - length + 1
      end += skips[byte] ?? 1
    }
    return -1
  }
}

function matchesAt(bytes: Buffer, at: number, wanted: Buffer): boolean {
  if (at < 0 || at + wanted.length > bytes.length) return false
  for (let place = 0; place < wanted.length; place++) {
    if (FOLD[bytes[at + place] ?? 0] !== wanted[place]) return false
  }
  return true
}

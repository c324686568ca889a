import { setTimeout as pause } from 'node:timers/promises'
import type { LogWindow, WindowLine } from '../../domain/api/index.ts'
import { processWide } from '../../process-wide.ts'
import type { ByteReader, OpenReader } from '../evidence/byte-reader.ts'

const NEWLINE = 0x0a
const SHOWN_BYTES = 4096
/** The first response does not wait longer for the exact number of lines. */
const PATIENCE_MS = 1500

/** Reads some lines of a file from line `first` (from 0); long ones are truncated. Null = the file does not exist. */
export async function readLines(
  open: OpenReader,
  first: number,
  limit: number,
): Promise<LogWindow | null> {
  const indexed = await indexLines(open)
  if (!indexed) return null
  const { index, whole } = indexed
  if (!index.isReady) await Promise.race([whole, pause(PATIENCE_MS)])
  if (!index.isReady && first > 0) await whole
  const file = await open()
  if (!file) return null
  try {
    const lines = await new LineReader(file, index).read(first, limit)
    const { sizeBytes, isReady, lines: total } = index
    return { first, lines, total, isExact: isReady, sizeBytes }
  } finally {
    await file.close()
  }
}

class LineReader {
  readonly #file: ByteReader
  readonly #index: LineIndex
  readonly #buffer: Buffer

  constructor(file: ByteReader, index: LineIndex) {
    this.#file = file
    this.#index = index
    this.#buffer = Buffer.allocUnsafe(index.stepBytes)
  }

  async read(first: number, limit: number): Promise<WindowLine[]> {
    const lines: WindowLine[] = []
    let offset = await this.#offsetOf(first)
    while (lines.length < limit && offset < this.#index.sizeBytes) {
      const bytes = await this.#take(offset)
      if (bytes.length === 0) break
      const end = this.#addWhole(bytes, limit, lines)
      if (end === 0) offset = await this.#addLong(bytes, offset, first + lines.length, lines)
      else offset += end
    }
    return lines
  }

  /** Adds the lines that end in a part; returns the offset behind the last of them. */
  #addWhole(bytes: Buffer, limit: number, lines: WindowLine[]): number {
    let from = 0
    for (let at = bytes.indexOf(NEWLINE); at !== -1 && lines.length < limit; ) {
      lines.push(toLine(bytes.subarray(from, at), at - from))
      from = at + 1
      at = bytes.indexOf(NEWLINE, from)
    }
    return from
  }

  /** Adds a line that does not end in its part; returns the offset behind it. */
  async #addLong(
    bytes: Buffer,
    offset: number,
    line: number,
    lines: WindowLine[],
  ): Promise<number> {
    const shown = Buffer.from(bytes.subarray(0, SHOWN_BYTES + 4))
    const next =
      line + 1 < this.#index.lines ? await this.#offsetOf(line + 1) : this.#index.sizeBytes
    const hasEnd = next < this.#index.sizeBytes
    lines.push(toLine(shown, next - offset - (hasEnd ? 1 : 0)))
    return next
  }

  async #offsetOf(line: number): Promise<number> {
    if (line === 0) return 0
    if (line >= this.#index.lines) return this.#index.sizeBytes
    const step = this.#index.stepOfLine(line)
    const offset = step * this.#index.stepBytes
    const bytes = await this.#take(offset)
    let at = -1
    for (let left = line - this.#index.endsBefore(step); left > 0; left--) {
      at = bytes.indexOf(NEWLINE, at + 1)
      if (at === -1) return this.#index.sizeBytes // the file changed since it was counted
    }
    return offset + at + 1
  }

  #take(offset: number): Promise<Buffer> {
    return this.#file.read(this.#buffer, offset)
  }
}

/** Builds a line of `size` bytes from its first bytes. */
function toLine(bytes: Buffer, size: number): WindowLine {
  const isCut = size > SHOWN_BYTES
  const shown = isCut ? bytes.subarray(0, SHOWN_BYTES) : bytes
  // `stream` drops a character that the truncation cut in half.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(shown, { stream: isCut })
  return {
    text: text.endsWith('\r') ? text.slice(0, -1) : text,
    restBytes: isCut ? size - SHOWN_BYTES : 0,
  }
}

const MIN_STEP_BYTES = 256 * 1024
/** A mark is 8 bytes: half a megabyte for the largest file. */
const MAX_MARKS = 65_536
const MAX_INDEXES = 32

/** Line numbers at each step of a file, so that a line is found by reading a small part. */
export class LineIndex {
  readonly sizeBytes: number
  readonly stepBytes: number
  /** Line ends before each step. */
  readonly #before: Float64Array
  #steps = 0
  #lines = 0
  #ready = false

  constructor(sizeBytes: number) {
    this.sizeBytes = sizeBytes
    this.stepBytes = MIN_STEP_BYTES * Math.max(1, Math.ceil(sizeBytes / MIN_STEP_BYTES / MAX_MARKS))
    this.#before = new Float64Array(Math.ceil(sizeBytes / this.stepBytes) + 1)
  }

  get isReady(): boolean {
    return this.#ready
  }

  /** Number of lines; an extrapolation until the index is complete. */
  get lines(): number {
    if (this.#ready || this.#steps === 0) return this.#lines
    return Math.ceil((this.#lines * this.sizeBytes) / (this.#steps * this.stepBytes))
  }

  /** Returns the number of line ends before a step of the file. */
  endsBefore(step: number): number {
    return this.#before[step] ?? 0
  }

  /** Returns the last step that begins before the end of line `line` − 1, where line `line` (from 0) is searched. */
  stepOfLine(line: number): number {
    let low = 0
    let high = Math.max(0, this.#steps - 1)
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.endsBefore(middle) < line) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Counts the whole file once. */
  async build(file: ByteReader): Promise<void> {
    const buffer = Buffer.allocUnsafe(this.stepBytes)
    let last = NEWLINE
    for (let offset = 0; offset < this.sizeBytes; offset += this.stepBytes) {
      const bytes = await file.read(buffer, offset)
      this.#before[this.#steps++] = this.#lines
      this.#lines += countEnds(bytes)
      last = bytes.at(-1) ?? last
    }
    this.#before[this.#steps] = this.#lines
    if (last !== NEWLINE) this.#lines += 1
    this.#ready = true
  }
}

function countEnds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}

/** A file's index; `whole` resolves when it is complete. */
type Indexed = { index: LineIndex; whole: Promise<void> }

const indexes = processWide('line indexes', () => new Map<string, Indexed>())

/** Indexes a file, once while it is unchanged and in use. Null = the file does not exist. */
export async function indexLines(open: OpenReader): Promise<Indexed | null> {
  const file = await open()
  if (!file) return null
  const key = file.version
  const known = indexes.get(key)
  indexes.delete(key)
  if (known) await file.close()
  const indexed = known ?? begin(file, () => indexes.delete(key))
  indexes.set(key, indexed)
  for (const old of indexes.keys()) {
    if (indexes.size <= MAX_INDEXES) break
    indexes.delete(old)
  }
  return indexed
}

function begin(file: ByteReader, forget: () => void): Indexed {
  const index = new LineIndex(file.sizeBytes)
  const whole = buildAndClose(index, file)
  whole.catch(forget)
  return { index, whole }
}

async function buildAndClose(index: LineIndex, file: ByteReader): Promise<void> {
  try {
    await index.build(file)
  } finally {
    await file.close()
  }
}

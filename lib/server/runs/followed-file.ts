import { type FSWatcher, watch } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { openPlain } from '../evidence/byte-reader.ts'

/** Bytes per read. */
const PART_BYTES = 64 * 1024
/** Polling interval for file systems without events, and for files that do not exist yet. */
const SLOW_LOOK_MS = 1000
const QUICK_LOOK_MS = 100
/** Debounce of writes, which are then read and sent to all readers at once. */
const GATHER_MS = 15
/** Cached reads, so that readers at the same position share one. */
const SHARED_READS = 8

type Look = { size: number; inode: number }

const toLook = ({ size, ino }: { size: number; ino: number }): Look => ({ size, inode: ino })

/**
 * A growing file, watched once for all its readers. `version` counts every change; `generation` counts truncations and
 * replacements, which invalidate offsets.
 */
export class FollowedFile {
  readonly path: string
  version = 0
  generation = 0
  size = 0
  #handle: FileHandle | null = null
  #inode = 0
  #watcher: FSWatcher | null = null
  #timer: NodeJS.Timeout | undefined
  #gathering: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null
  #closed = false
  readonly #waiting = new Set<() => void>()
  readonly #reads = new Map<string, Promise<Buffer>>()

  constructor(path: string) {
    this.path = path
    this.#schedule()
  }

  /** Checks the file; resolves once a check that started after the call is done. */
  async look(): Promise<void> {
    while (this.#looking !== null) await this.#looking
    if (this.#closed) return
    this.#looking = this.#take().finally(() => {
      this.#looking = null
    })
    await this.#looking
  }

  /** Reads at most one part from `offset`; empty at the end, and while the file does not exist. */
  async read(offset: number): Promise<Buffer> {
    if (!this.#handle) await this.look()
    const handle = this.#handle
    if (!handle) return Buffer.alloc(0)
    const key = `${this.version}:${offset}`
    const known = this.#reads.get(key)
    if (known !== undefined) return known
    const reading = readPart(handle, offset)
    this.#reads.set(key, reading)
    for (const old of this.#reads.keys()) {
      if (this.#reads.size <= SHARED_READS) break
      this.#reads.delete(old)
    }
    return reading
  }

  /** Calls back once at the next change; returns a function that unsubscribes. */
  onChange(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#gathering)
    this.#watcher?.close()
    while (this.#looking !== null) await this.#looking
    await this.#handle?.close()
    this.#handle = null
  }

  async #take(): Promise<void> {
    const found = await openPlain(this.path)
    const now: Look | null = found && (await found.stat().then(toLook))
    const isOther = this.#handle !== null && now?.inode !== this.#inode
    const isShorter = now !== null && now.size < this.size
    if (isOther || isShorter) this.generation++
    if (isOther || !this.#handle) await this.#replace(found, now)
    else await found?.close()
    if (!isOther && !isShorter && this.size === (now?.size ?? 0)) return
    this.size = now?.size ?? 0
    this.#changed()
  }

  async #replace(found: FileHandle | null, now: Look | null): Promise<void> {
    const old = this.#handle
    this.#handle = found
    this.#inode = now?.inode ?? 0
    this.#watcher?.close()
    this.#watcher = found && this.#watch()
    await old?.close()
  }

  #watch(): FSWatcher | null {
    try {
      const watcher = watch(this.path, { persistent: false }, () => this.#lookSoon())
      watcher.on('error', () => {
        watcher.close()
        if (this.#watcher === watcher) this.#watcher = null
      })
      return watcher
    } catch {
      return null // too many watches, or none on this file system: polling continues
    }
  }

  #lookSoon(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      void this.look().catch(() => {})
    }, GATHER_MS)
  }

  #schedule(): void {
    if (this.#closed) return
    const again = () =>
      this.look()
        .catch(() => {})
        .finally(() => this.#schedule())
    this.#timer = setTimeout(() => void again(), this.#watcher ? SLOW_LOOK_MS : QUICK_LOOK_MS)
    this.#timer.unref()
  }

  #changed(): void {
    this.version++
    this.#reads.clear()
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }
}

async function readPart(handle: FileHandle, offset: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(PART_BYTES)
  let filled = 0
  while (filled < PART_BYTES) {
    const { bytesRead } = await handle.read(buffer, filled, PART_BYTES - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** A line with its byte range; `open` = it is longer than a part, and continues in the next one. */
export type FollowedLine = { start: number; end: number; text: string; open: boolean }

const NEWLINE = 0x0a
const RETURN = 0x0d

/**
 * Splits a part of a file that begins at `offset` into lines. An incomplete last line waits, unless `final`; one that
 * fills a whole part is returned in pieces, so that an endless line is neither held in memory nor lost.
 */
export function splitLines(
  bytes: Buffer,
  offset: number,
  final = false,
): { lines: FollowedLine[]; end: number } {
  const lines: FollowedLine[] = []
  let from = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
    lines.push(toLine(bytes.subarray(from, at), { start: offset + from, end: offset + at + 1 }))
    from = at + 1
  }
  const isFull = bytes.length === PART_BYTES
  const rest = bytes.subarray(from)
  if (rest.length > 0 && isFull && from === 0) {
    const whole = rest.subarray(0, rest.length - brokenTail(rest))
    lines.push({ ...place(offset, whole), text: decode(whole), open: true })
    from = whole.length
  } else if (rest.length > 0 && final && !isFull) {
    lines.push(toLine(rest, place(offset + from, rest)))
    from = bytes.length
  }
  return { lines, end: offset + from }
}

const place = (start: number, bytes: Buffer) => ({ start, end: start + bytes.length })

function toLine(bytes: Buffer, { start, end }: { start: number; end: number }): FollowedLine {
  const text = bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes
  return { start, end, text: decode(text), open: false }
}

function decode(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Counts the bytes at the end that begin an incomplete character; 0 if they are not UTF-8. */
function brokenTail(bytes: Buffer): number {
  const lead = [1, 2, 3].find((back) => ((bytes.at(-back) ?? 0) & 0xc0) !== 0x80)
  if (lead === undefined) return 0
  return lead < sizeOfCharacter(bytes.at(-lead) ?? 0) ? lead : 0
}

function sizeOfCharacter(lead: number): number {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}

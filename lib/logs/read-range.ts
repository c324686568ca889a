import type { FileHandle } from 'node:fs/promises'
import type { LogRange } from '#lib/domain/views/episode-view.ts'
import { openPlain } from './open-plain.ts'

const NEWLINE = 0x0a

/**
 * Reads a part of a text file without opening more of it. Cuts after a line's end where one is in the part, else
 * between two characters; so that parts read one after another give the whole text. Null = no plain file there.
 */
export async function readRange(
  path: string,
  offset: number,
  length: number,
): Promise<LogRange | null> {
  const file = await openPlain(path)
  if (!file) return null
  try {
    const { size } = await file.stat()
    if (offset >= size) return { text: '', offset: size, nextOffset: null, sizeBytes: size }
    const bytes = await readBytes(file, offset, Math.min(length, size - offset))
    const start = offset > 0 ? continuationBytes(bytes) : 0
    const isLast = offset + bytes.length >= size
    const end = isLast ? bytes.length : cut(bytes, start)
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end))
    const nextOffset = isLast ? null : offset + end
    return { text, offset: offset + start, nextOffset, sizeBytes: size }
  } finally {
    await file.close()
  }
}

async function readBytes(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** How many bytes at the start belong to a character that began before; more than three is no UTF-8 at all. */
function continuationBytes(bytes: Buffer): number {
  let count = 0
  while (count < 3 && isContinuation(bytes[count])) count++
  return isContinuation(bytes[count]) ? 0 : count
}

/** Where a part ends: after its last line, else before a character that is not whole; never before it began. */
function cut(bytes: Buffer, start: number): number {
  const line = bytes.lastIndexOf(NEWLINE)
  if (line >= start) return line + 1
  for (let back = 1; back <= 4 && bytes.length - back > start; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    return back < sizeOfCharacter(byte) ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function sizeOfCharacter(lead: number): number {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}

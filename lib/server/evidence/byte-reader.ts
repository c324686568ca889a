import { createHash } from 'node:crypto'
import { constants, type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Digest } from '../../domain/digest/index.ts'

/** Random access to bytes, of a local file or of an object in a bucket. */
export type ByteReader = {
  readonly sizeBytes: number
  /** Identifies the source, and changes with its bytes. */
  readonly version: string
  /** Fills a buffer from `offset`; returns the filled part, which is shorter at the end. */
  read(buffer: Buffer, offset: number): Promise<Buffer>
  close(): Promise<void>
}

/** Opens a new reader each time; null = it does not exist. */
export type OpenReader = () => Promise<ByteReader | null>

/** Opens a regular file for reading. Null for a missing file, a link, or anything else. */
export async function openPlain(path: string): Promise<FileHandle | null> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if ((await file.stat()).isFile()) return file
    await file.close()
    return null
  } catch {
    return null
  }
}

/** Opens a regular file as a reader. */
export async function openFile(path: string): Promise<ByteReader | null> {
  const file = await openPlain(path)
  if (!file) return null
  const { size, ino, mtimeMs } = await file.stat()
  return {
    sizeBytes: size,
    version: `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-${ino.toString(36)}`,
    read: (buffer, offset) => fill(file, buffer, offset),
    close: () => file.close(),
  }
}

async function fill(file: FileHandle, buffer: Buffer, offset: number): Promise<Buffer> {
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

const PART_BYTES = 1 << 20

/** Digest and size of bytes that were read. */
export type MeasuredFile = { digest: Digest; bytes: number }

/** Reads to the end in parts, and closes; awaits `take` for each part before the next is read. */
export async function measureBytes(
  reader: ByteReader,
  take: (part: Buffer) => Promise<void> = async () => {},
): Promise<MeasuredFile> {
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(Math.min(PART_BYTES, Math.max(1, reader.sizeBytes)))
  let bytes = 0
  try {
    for (;;) {
      const part = await reader.read(buffer, bytes)
      if (part.length === 0) return { digest: `sha256:${hash.digest('hex')}`, bytes }
      hash.update(part)
      await take(part)
      bytes += part.length
    }
  } finally {
    await reader.close()
  }
}

/**
 * Writes all bytes to a new file, synced, and closes the reader. Only the owner can read the file, unless it is to be
 * published. Throws when the file exists.
 */
export async function copyBytes(
  reader: ByteReader,
  to: string,
  { isPublic = false } = {},
): Promise<MeasuredFile> {
  try {
    await mkdir(dirname(to), { recursive: true, mode: isPublic ? 0o777 : 0o700 })
    const target = await open(to, 'wx', isPublic ? 0o666 : 0o600)
    try {
      const copied = await measureBytes(reader, (part) => target.writeFile(part))
      await target.sync()
      return copied
    } finally {
      await target.close()
    }
  } finally {
    await reader.close()
  }
}

const SENT_BYTES = 64 * 1024

/** Streams the bytes from `start` to `end`, both included; null = none. Always closes the reader. */
export async function streamBytes(
  file: ByteReader,
  start: number,
  end: number,
): Promise<ReadableStream<Uint8Array> | null> {
  if (end < start) {
    await file.close()
    return null
  }
  let at = start
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const part = await file.read(Buffer.allocUnsafe(Math.min(SENT_BYTES, end + 1 - at)), at)
        // The length was sent already, so a response that cannot keep it has to be aborted.
        if (part.length === 0) throw new Error('the file became shorter while it was sent')
        at += part.length
        controller.enqueue(part)
      } catch (error) {
        controller.error(error)
        return file.close()
      }
      if (at <= end) return
      controller.close()
      await file.close()
    },
    cancel: () => file.close(),
  })
}

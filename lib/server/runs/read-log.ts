import { constants, type FileHandle, open } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { database } from '../../db/database.ts'
import { type EpisodeRecord, findEpisode } from '../../db/episode-store.ts'
import { findPruned } from '../../db/pruned-store.ts'
import { formatPruned, type LogRange } from '../../domain/api/index.ts'
import type { EvidenceFile } from '../../domain/record/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'

/** More is never read at once, however much is asked for. */
export const MOST_BYTES = 256 * 1024

type RangeRequest = { offset?: number | undefined; length?: number | undefined }

/** A part of one of an episode's evidence files; null = no such episode, or no such file was stored. */
export async function readLog(
  episodeId: string,
  role: EvidenceFile['role'],
  { offset = 0, length = MOST_BYTES }: RangeRequest = {},
): Promise<LogRange | null> {
  try {
    const path = await findLog(episodeId, role)
    return await readRange(path, Math.max(0, Math.floor(offset)), atMost(length))
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null
    throw error
  }
}

function atMost(length: number): number {
  return Math.min(Math.max(1, Math.floor(length)), MOST_BYTES)
}

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

/** How many bytes at the start belong to a character that began before; more than three is not UTF-8 at all. */
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

/** The path of an episode's evidence file. Throws not-found for an unknown episode or a file that was never stored. */
export async function findLog(episodeId: string, role: EvidenceFile['role']): Promise<string> {
  const record = await findEpisode(database(), episodeId)
  const file = record?.episode.evidence.find((entry) => entry.role === role)
  const path = record && file ? evidencePath(record, file) : null
  if (path) return path
  throw new AppError('not-found', `no ${role} of episode ${episodeId} is stored here`)
}

type LogBytes = {
  sizeBytes: number
  /** Changes when the file does. */
  version: string
  file: FileHandle
}

/** An evidence file, opened for reading; the caller closes it. Throws not-found, or gone once it was pruned. */
export async function openLogBytes(
  episodeId: string,
  role: EvidenceFile['role'],
): Promise<LogBytes> {
  const file = await openPlain(await findLog(episodeId, role))
  if (!file) throw await missingEvidenceError(episodeId, role)
  const { size, mtimeMs } = await file.stat()
  return {
    file,
    sizeBytes: size,
    version: `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`,
  }
}

/**
 * The location of an evidence file; null = its files were never received. The path comes from a sealed list that was
 * parsed, never from a request; that it stays inside the data directory is checked all the same.
 */
export function evidencePath({ directory }: EpisodeRecord, file: EvidenceFile): string | null {
  if (directory === null) return null
  const { dataDir } = env()
  const folder = resolve(dataDir, directory)
  const path = resolve(folder, file.path)
  return path.startsWith(join(dataDir, sep)) && path.startsWith(join(folder, sep)) ? path : null
}

/** Why there is nothing to show: pruned by retention (410), or never stored here (404). */
export async function missingEvidenceError(
  episodeId: string,
  role: EvidenceFile['role'],
): Promise<AppError> {
  const db = database()
  const record = await findEpisode(db, episodeId)
  const file = record?.episode.evidence.find((entry) => entry.role === role)
  const note = file && (await findPruned(db, `${record?.directory}/${file.path}`))
  if (!note) return new AppError('not-found', `no ${role} of episode ${episodeId} is stored here`)
  return new AppError('gone', `the ${role} of episode ${episodeId} was ${formatPruned(note)}`)
}

/** Opens a regular file for reading. Null for what is missing, a link, or no regular file. */
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

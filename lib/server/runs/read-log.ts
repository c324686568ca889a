import { database } from '../../db/database.ts'
import { findEpisode } from '../../db/episode-store.ts'
import { findPruned } from '../../db/pruned-store.ts'
import { formatPruned, type LogRange } from '../../domain/api/index.ts'
import type { EvidenceFile } from '../../domain/record/index.ts'
import { AppError } from '../../errors.ts'
import type { ByteReader, OpenReader } from '../evidence/byte-reader.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import { evidenceRef } from '../evidence/evidence-store.ts'
import { findOwnFiles, whyElsewhere } from '../evidence/own-files.ts'

/** Maximum bytes of a read. */
export const MAX_BYTES = 256 * 1024

type RangeRequest = { offset?: number | undefined; length?: number | undefined }

/** Reads a part of one of an episode's evidence files; null = no such episode, or no such file was stored. */
export async function readLog(
  episodeId: string,
  role: EvidenceFile['role'],
  { offset = 0, length = MAX_BYTES }: RangeRequest = {},
): Promise<LogRange | null> {
  try {
    const open = await findLog(episodeId, role)
    return await readRange(await open(), Math.max(0, Math.floor(offset)), atMost(length))
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null
    throw error
  }
}

function atMost(length: number): number {
  return Math.min(Math.max(1, Math.floor(length)), MAX_BYTES)
}

const NEWLINE = 0x0a

/**
 * Reads a part of a text, and closes it. Ends the part after its last line end, else between two characters, so that
 * consecutive parts add up to the whole text. Null = there is nothing to read.
 */
export async function readRange(
  file: ByteReader | null,
  offset: number,
  length: number,
): Promise<LogRange | null> {
  if (!file) return null
  try {
    const size = file.sizeBytes
    if (offset >= size) return { text: '', offset: size, nextOffset: null, sizeBytes: size }
    const bytes = await file.read(Buffer.alloc(Math.min(length, size - offset)), offset)
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

/** Counts the bytes at the start that continue an earlier character; more than three are not UTF-8. */
function continuationBytes(bytes: Buffer): number {
  let count = 0
  while (count < 3 && isContinuation(bytes[count])) count++
  return isContinuation(bytes[count]) ? 0 : count
}

/** Returns where a part ends: after its last line, else before an incomplete character; never before its start. */
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

/** Finds an episode's evidence file. Throws not-found for an unknown episode or a file that was never stored. */
export async function findLog(episodeId: string, role: EvidenceFile['role']): Promise<OpenReader> {
  const record = await findEpisode(database(), episodeId)
  const file = record?.episode.evidence.find((entry) => entry.role === role)
  const ref = record && file ? evidenceRef(record.directory, file) : null
  if (ref) return () => evidenceStore().open(ref)
  throw new AppError('not-found', `no ${role} of episode ${episodeId} is stored here`)
}

/** Opens an evidence file; the caller closes it. Throws not-found, or gone once it was pruned. */
export async function openLogBytes(
  episodeId: string,
  role: EvidenceFile['role'],
): Promise<ByteReader> {
  const open = await findLog(episodeId, role)
  const file = await open()
  if (!file) throw await missingEvidenceError(episodeId, role)
  return file
}

/**
 * Returns the error for missing evidence: pruned by retention (410), not in this data folder, lost by the store, or
 * never stored (404).
 */
export async function missingEvidenceError(
  episodeId: string,
  role: EvidenceFile['role'],
): Promise<AppError> {
  const db = database()
  const record = await findEpisode(db, episodeId)
  const file = record?.episode.evidence.find((entry) => entry.role === role)
  const ref = record && file ? evidenceRef(record.directory, file) : null
  const note = ref && (await findPruned(db, ref.place))
  const name = `the ${role} of episode ${episodeId}`
  if (note) return new AppError('gone', `${name} was ${formatPruned(note)}`)
  if (!ref) return new AppError('not-found', `no ${role} of episode ${episodeId} is stored here`)
  const isHere = findOwnFiles()
  const { directory } = record ?? {}
  if (directory && isHere && !isHere(directory)) {
    const message = `${name} is not in this data folder: ${whyElsewhere(directory)}`
    return new AppError('not-found', message)
  }
  const store = evidenceStore().name
  const message = `${name} is missing from the evidence store (${store}); proofboard server evidence check lists all such files`
  return new AppError('not-found', message)
}

/**
 * Returns null for evidence errors, rethrows others. For pages, which describe problems of files with
 * `evidenceProblems`.
 */
export function unlessEvidence(error: unknown): null {
  if (error instanceof AppError && error.code.startsWith('evidence-')) return null
  throw error
}

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { type Entry, openPromise } from 'yauzl'
import { databaseError } from '../../db/database-error.ts'
import type { Digest } from '../../domain/digest/index.ts'
import { relativePathSchema } from '../../domain/record/index.ts'
import { countOf } from '../../domain/text/index.ts'
import { AppError } from '../../errors.ts'
import { BODY_LIMITS, type BodyLimits } from './limits.ts'
import { type Body, checkRatio, limitBytes, tooLarge } from './read-body.ts'

/** The files of an archive by path. */
export type ArchiveFiles = ReadonlyMap<string, StoredFile>

/**
 * Unpacks an archive into a folder, each file under a number, so that no name from the archive is used on disk. Throws
 * for the whole archive on paths that leave it, links, duplicate names (also in other letter case), too many files or
 * bytes. In a log of Inspect the last file of a name counts, and samples may differ in letter case only.
 */
export async function unpackArchive(
  body: Body & { kind: 'zip' | 'tar' },
  folder: string,
  limits: BodyLimits = BODY_LIMITS,
): Promise<ArchiveFiles> {
  await mkdir(folder, { recursive: true })
  const { archiveFiles: max } = limits
  const entries = body.kind === 'zip' ? readZipEntries(body.file, max) : readTarEntries(body.file)
  const files = new Map<string, StoredFile>()
  const seen = new Set<string>()
  let sum = 0
  const check = (bytes: number) => {
    if (sum + bytes > limits.archiveBytes)
      throw tooLarge('the archive unpacks to more than', limits.archiveBytes)
    checkRatio(sum + bytes, body.sentBytes, limits)
  }
  try {
    for await (const entry of entries) {
      const path = readName(entry, seen)
      if (seen.size > max) throw tooManyFiles(max)
      check(entry.sizeBytes)
      const file = join(folder, String(files.size))
      const stored = await storeFile(await entry.open(), file, check)
      sum += stored.sizeBytes
      files.set(path, entry.isExecutable ? { ...stored, isExecutable: true } : stored)
    }
  } catch (error) {
    throw refusal(error)
  }
  return files
}

function readName({ name, isExact }: ArchiveEntry, seen: Set<string>): string {
  const path = relativePathSchema.safeParse(name.replace(/^(\.\/)+/, ''))
  if (!path.success) throw refuseEntry(name, 'has a path that leaves the archive or is too long')
  const key = isExact ? path.data : path.data.normalize('NFC').toLowerCase()
  if (seen.has(key)) throw refuseEntry(name, 'is duplicated')
  seen.add(key)
  return path.data
}

/** Blames the archive for any error of the zip and tar readers, except a full disk. */
function refusal(error: unknown): unknown {
  const failure = databaseError(error)
  if (failure instanceof AppError || !(error instanceof Error)) return failure
  const message = `the archive cannot be read: ${error.message.slice(0, 200)}`
  return new AppError('invalid-request', message, { cause: error })
}

/** One file of an archive, with its name there; `open` is called at most once, before the next entry is read. */
type ArchiveEntry = {
  name: string
  /** Names that differ only in letter case are two names. */
  isExact?: boolean
  /** Declared size; the actual one may differ, and is counted. */
  sizeBytes: number
  isExecutable: boolean
  open: () => Promise<AsyncIterable<Uint8Array>>
}

const EXECUTABLE = 0o100
const isProgram = (mode = 0): boolean => (mode & EXECUTABLE) !== 0
const UNIX_TYPE = 0o170000
const UNIX_FILE = 0o100000
const LINK = 'is a link, not a file: pack the files themselves (zip -r, or tar --dereference)'
const ZSTD = 93
const ZSTD_HELP =
  'is packed with zstd, which cannot be read here; write a log of Inspect as JSON first: inspect log convert --to json --output-dir DIR FILE.eval'

/**
 * Yields the files of a zip, whose names may contain backslashes from older Windows tools. Uses its central directory
 * and ignores contradicting local headers; throws for an entry that declares more than `most` bytes before anything is
 * unpacked.
 */
async function* readZipEntries(file: string, max: number): AsyncGenerator<ArchiveEntry> {
  const zip = await openPromise(file, { autoClose: false, strictFileNames: false })
  try {
    if (zip.entryCount > max) throw tooManyFiles(max)
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) entries.push(entry)
    const isLog = entries.some(({ fileName }) => fileName === INSPECT_START)
    for (const entry of isLog ? lastOfEachName(entries) : entries) {
      if (entry.fileName.endsWith('/')) continue
      checkZipEntry(entry)
      yield {
        name: entry.fileName,
        isExact: isLog,
        sizeBytes: entry.uncompressedSize,
        isExecutable: isProgram(entry.externalFileAttributes >>> 16),
        open: () => zip.openReadStreamPromise(entry),
      }
    }
  } finally {
    zip.close()
  }
}

/** The first file that Inspect writes into a log. */
const INSPECT_START = '_journal/start.json'

/** Returns the last entry of each name: Inspect appends a repeated sample, and reads the last one. */
function lastOfEachName(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [entry.fileName, entry])).values()]
}

function checkZipEntry(entry: Entry): void {
  if (entry.isEncrypted()) throw refuseEntry(entry.fileName, 'is encrypted')
  if (entry.compressionMethod === ZSTD) throw refuseEntry(entry.fileName, ZSTD_HELP)
  if (!entry.canDecodeFileData()) throw refuseEntry(entry.fileName, 'is packed in an unknown way')
  const type = (entry.externalFileAttributes >>> 16) & UNIX_TYPE
  if (type !== 0 && type !== UNIX_FILE) throw refuseEntry(entry.fileName, LINK)
}

/** Yields the files of a tar in order. */
async function* readTarEntries(file: string): AsyncGenerator<ArchiveEntry> {
  const source = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
  const entries = source.pipeThrough(createTarDecoder({ strict: true }))
  for await (const { header, body } of iterate<ParsedTarEntry>(entries)) {
    const { name, type = 'file', size, mode } = header
    const isExecutable = isProgram(mode)
    if (type === 'directory' || type === 'pax-global-header') await body.cancel()
    else if (type === 'file')
      yield { name, sizeBytes: size, isExecutable, open: async () => iterate(body) }
    else throw refuseEntry(name, type.includes('link') ? LINK : 'is not a file')
  }
}

/** Node's web streams are iterable; the browser's type of the same stream does not say so. */
function iterate<T>(stream: ReadableStream<T>): AsyncIterable<T> {
  return stream as unknown as WebStream<T>
}

function tooManyFiles(max: number): AppError {
  return new AppError(
    'too-large',
    `the archive contains more than ${countOf(max, 'file')}: split it into smaller uploads`,
  )
}

function refuseEntry(name: string, why: string): AppError {
  const shown = JSON.stringify(name.slice(0, 120))
  return new AppError('invalid-request', `the archive is refused: its entry ${shown} ${why}`)
}

/** A file of an archive, on disk under a generated name. */
export type StoredFile = {
  file: string
  sizeBytes: number
  digest: Digest
  /** Absent = its mode has no executable bit, or the archive has no modes. */
  isExecutable?: true
}

/** Writes one file of an archive; `check` gets the number of bytes so far and may throw. */
async function storeFile(
  source: AsyncIterable<Uint8Array>,
  file: string,
  check: (sum: number) => void,
): Promise<StoredFile> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const counted = limitBytes(source, (sum) => {
    check(sum)
    sizeBytes = sum
  })
  async function* hashed() {
    for await (const chunk of counted) {
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(
    Readable.from(hashed(), { objectMode: false }),
    createWriteStream(file, { mode: 0o600 }),
  )
  return { file, sizeBytes, digest: `sha256:${hash.digest('hex')}` }
}

import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { type Entry, openPromise } from 'yauzl'
import { AppError } from '#lib/errors.ts'

/** One file of an archive as the archive names it; `open` is called at most once, before the next entry is asked for. */
export type ArchiveEntry = {
  name: string
  /** As the archive says; what comes may be more or less, and is counted. */
  sizeBytes: number
  open: () => Promise<AsyncIterable<Uint8Array>>
}

const UNIX_TYPE = 0o170000
const UNIX_FILE = 0o100000
const ZSTD = 93
const ZSTD_HELP =
  'is packed with zstd, which cannot be read here; write a log of Inspect as JSON first: inspect log convert --to json --output-dir DIR FILE.eval'

/**
 * The files of a zip. Its central directory is the truth; what local headers say otherwise is ignored, and one that
 * says it holds more than `most` is believed before anything is unpacked.
 */
export async function* readZipEntries(file: string, most: number): AsyncGenerator<ArchiveEntry> {
  const zip = await openPromise(file, { autoClose: false, strictFileNames: true })
  try {
    if (zip.entryCount > most) throw tooManyFiles(most)
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue
      checkZipEntry(entry)
      yield {
        name: entry.fileName,
        sizeBytes: entry.uncompressedSize,
        open: () => zip.openReadStreamPromise(entry),
      }
    }
  } finally {
    zip.close()
  }
}

function checkZipEntry(entry: Entry): void {
  if (entry.isEncrypted()) throw refuseEntry(entry.fileName, 'is encrypted')
  if (entry.compressionMethod === ZSTD) throw refuseEntry(entry.fileName, ZSTD_HELP)
  if (!entry.canDecodeFileData()) throw refuseEntry(entry.fileName, 'is packed in an unknown way')
  const type = (entry.externalFileAttributes >>> 16) & UNIX_TYPE
  if (type !== 0 && type !== UNIX_FILE) throw refuseEntry(entry.fileName, 'is a link, not a file')
}

/** The files of a tar, one after the other as they lie in it. */
export async function* readTarEntries(file: string): AsyncGenerator<ArchiveEntry> {
  const source = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
  const entries = source.pipeThrough(createTarDecoder({ strict: true }))
  for await (const { header, body } of iterate<ParsedTarEntry>(entries)) {
    const { name, type = 'file', size } = header
    if (type === 'directory' || type === 'pax-global-header') await body.cancel()
    else if (type === 'file') yield { name, sizeBytes: size, open: async () => iterate(body) }
    else throw refuseEntry(name, type.includes('link') ? 'is a link, not a file' : 'is not a file')
  }
}

/** Node's web streams can be iterated; the browser's type of the same stream does not say so. */
function iterate<T>(stream: ReadableStream<T>): AsyncIterable<T> {
  return stream as unknown as WebStream<T>
}

export function tooManyFiles(most: number): AppError {
  return new AppError(
    'too-large',
    `the archive holds more than ${most} files: split it into smaller uploads`,
  )
}

export function refuseEntry(name: string, why: string): AppError {
  const shown = JSON.stringify(name.slice(0, 120))
  return new AppError('invalid-request', `the archive is refused: its entry ${shown} ${why}`)
}

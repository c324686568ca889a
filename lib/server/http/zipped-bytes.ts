import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { processWide } from '../../process-wide.ts'

/** Bytes that are stored under their digest, which is known before they are read. */
export type StoredBytes = { digest: string; read: () => Promise<Buffer> }

const zip = promisify(gzip)
const zipped = processWide('zipped bytes', () => new Map<string, Promise<Buffer>>())
/** A board of 200 rows is a megabyte, and compressed a tenth of it. */
const MAX_ZIPPED = 16

/** Compresses bytes once for all clients: that takes longer than everything else about them. */
export function readZipped({ digest, read }: StoredBytes): Promise<Buffer> {
  const known = zipped.get(digest)
  if (known !== undefined) return known
  const made = read().then((bytes) => zip(bytes))
  const [oldest] = zipped.keys()
  if (zipped.size >= MAX_ZIPPED && oldest !== undefined) zipped.delete(oldest)
  zipped.set(digest, made)
  made.catch(() => zipped.delete(digest))
  return made
}

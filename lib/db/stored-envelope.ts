import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** Prefix of a packed envelope, which JSON never has. */
const MARK = 'br:'
/** A shorter text hardly becomes shorter. */
const FEWEST_CHARACTERS = 1000
/** Brotli of this level makes an eighth of a real envelope in 50 µs; higher ones take longer than they save. */
const PARAMS = {
  [constants.BROTLI_PARAM_QUALITY]: 3,
  [constants.BROTLI_PARAM_LGWIN]: 16,
}
/** More than any envelope has: what unpacks to more was not packed here. */
const MOST_BYTES = 256 * 1024 * 1024
/** About how many times an envelope is longer than its stored form; for memory limits. */
export const PACKED_SHARE = 8

/** An envelope as stored in its column: text in both databases, since no SQL reads its content. */
export function packEnvelope(text: string): string {
  if (text.length < FEWEST_CHARACTERS) return text
  const bytes = Buffer.from(text)
  const params = { ...PARAMS, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return MARK + brotliCompressSync(bytes, { params }).toString('base64')
}

/** The canonical bytes of a stored envelope, packed or from before envelopes were. Throws where it is damaged. */
export function unpackEnvelope(stored: string): string {
  if (!stored.startsWith(MARK)) return stored
  const packed = Buffer.from(stored.slice(MARK.length), 'base64')
  return brotliDecompressSync(packed, { maxOutputLength: MOST_BYTES }).toString('utf8')
}

/**
 * True if a client that sends this `Accept` header accepts one of these media types. An absent or unreadable header
 * accepts anything.
 */
export function accepts(header: string | null, types: readonly string[]): boolean {
  const ranges = (header ?? '').split(',').flatMap((part) => readRange(part) ?? [])
  if (ranges.length === 0) return true
  return types.some((type) => qualityOf(type, ranges) > 0)
}

type Range = { type: string; quality: number }

/** Parses `text/*;q=0.5`; null = not a media range. */
function readRange(part: string): Range | null {
  const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
  if (!/^(\*\/\*|[\w!#$&^.+-]+\/(\*|[\w!#$&^.+-]+))$/.test(type)) return null
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const quality = given === undefined ? 1 : Number.parseFloat(given)
  return { type, quality: Number.isFinite(quality) ? quality : 1 }
}

/** The most specific matching range decides. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const wanted = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const name of wanted) {
    const range = ranges.find((one) => one.type === name)
    if (range) return range.quality
  }
  return 0
}

/** First and last byte, both included, counted from 0. */
type ByteRange = { start: number; end: number }

/**
 * Parses a `Range` header (RFC 9110). Null = send the whole file: no header, one that cannot be parsed, or several
 * ranges. 'none' = the range is outside the file.
 */
export function parseRangeHeader(
  header: string | null,
  sizeBytes: number,
): ByteRange | 'none' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!match) return null
  const [first, last] = [match[1] ?? '', match[2] ?? '']
  return first === '' ? lastBytes(last, sizeBytes) : bytesFrom(Number(first), last, sizeBytes)
}

/** `-500`: the last 500 bytes. */
function lastBytes(count: string, sizeBytes: number): ByteRange | 'none' | null {
  if (count === '') return null
  if (Number(count) === 0 || sizeBytes === 0) return 'none'
  return { start: Math.max(0, sizeBytes - Number(count)), end: sizeBytes - 1 }
}

/** `100-` or `100-199`. */
function bytesFrom(start: number, last: string, sizeBytes: number): ByteRange | 'none' | null {
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= sizeBytes ? 'none' : { start, end }
}

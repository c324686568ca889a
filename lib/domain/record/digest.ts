import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'

/** `sha256:` and 64 lower-case hex digits: the one form in which this project names bytes. */
export const digestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'expected sha256:<64 hex digits>')
export type Digest = z.infer<typeof digestSchema>

/** Digest of a text's UTF-8 bytes, or of raw bytes. */
export function digestBytes(bytes: string | Uint8Array): Digest {
  return `sha256:${bytesToHex(sha256(typeof bytes === 'string' ? utf8ToBytes(bytes) : bytes))}`
}

/** Digest of a JSON value in canonical form: member order and white space do not matter. */
export function digestJson(value: unknown): Digest {
  return digestBytes(canonicalJson(value))
}

/**
 * Canonical JSON: keys sorted by code unit, no white space, so that equal values give equal bytes.
 * Follows RFC 8785 for the values we allow: strings, finite numbers, booleans, null, arrays, plain objects.
 * `undefined` members are left out, as JSON.stringify does. Throws a RangeError on NaN or an infinity.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') {
    return JSON.stringify(value)
  }
  if (typeof value === 'number') return canonicalNumber(value)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object') return canonicalObject(value as Record<string, unknown>)
  throw new RangeError(`canonical JSON cannot hold a ${typeof value}`)
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('canonical JSON holds finite numbers only')
  return JSON.stringify(value)
}

/** Text that grows: every envelope that is read passes here, and lists of parts take twice as long. */
function canonicalObject(value: Record<string, unknown>): string {
  let members = ''
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    if (member === undefined) continue
    members += `${members === '' ? '' : ','}${quoteKey(key)}${canonicalJson(member)}`
  }
  return `{${members}}`
}

const MOST_KEYS = 2000
/** Keys are those of our schemas, again and again. */
const quoted = new Map<string, string>()

function quoteKey(key: string): string {
  const known = quoted.get(key)
  if (known !== undefined) return known
  const text = `${JSON.stringify(key)}:`
  if (quoted.size < MOST_KEYS) quoted.set(key, text)
  return text
}

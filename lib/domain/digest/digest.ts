import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'

/** `sha256:` and 64 lower-case hex digits: the only form of digests in this project. */
export const digestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'expected sha256:<64 hex digits>')
export type Digest = z.infer<typeof digestSchema>

/** Node's native hash takes a tenth of the time; browsers lack it. */
const nativeHash = globalThis.process?.getBuiltinModule?.('node:crypto').hash

/** Digest of a text's UTF-8 bytes, or of raw bytes. */
export function digestBytes(bytes: string | Uint8Array): Digest {
  if (nativeHash) return `sha256:${nativeHash('sha256', bytes, 'hex')}`
  return `sha256:${bytesToHex(sha256(typeof bytes === 'string' ? utf8ToBytes(bytes) : bytes))}`
}

/** Digest of a JSON value in canonical form: member order and white space do not matter. */
export function digestJson(value: unknown): Digest {
  return digestBytes(canonicalJson(value))
}

/**
 * Canonical JSON: keys sorted by code unit, no white space, so that equal values give equal bytes. Follows RFC 8785 for
 * the allowed values: strings, finite numbers, booleans, null, arrays, plain objects. `undefined` members are left out,
 * as in JSON.stringify. Throws a RangeError on NaN or an infinity.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return canonicalString(value)
  if (typeof value === 'number') return canonicalNumber(value)
  if (value === null || typeof value === 'boolean') return `${value}`
  if (Array.isArray(value)) return canonicalList(value)
  if (typeof value === 'object') return canonicalObject(value)
  throw new RangeError(`canonical JSON cannot hold a ${typeof value}`)
}

/** Returns the members of an object as canonical texts, in order. */
export function canonicalMembers(value: object): string[] {
  const record = value as Readonly<Record<string, unknown>>
  const { sorted, starts } = orderOf(Object.keys(value))
  const members: string[] = []
  for (let index = 0; index < sorted.length; index++) {
    const member = record[sorted[index] as string]
    if (member !== undefined) members.push(starts[index] + canonicalJson(member))
  }
  return members
}

/** Joins members to the canonical text of an object. */
export function joinMembers(members: readonly string[]): string {
  return `{${members.join(',')}}`
}

function canonicalObject(value: object): string {
  const record = value as Readonly<Record<string, unknown>>
  const { sorted, starts } = orderOf(Object.keys(value))
  let text = ''
  for (let index = 0; index < sorted.length; index++) {
    const member = record[sorted[index] as string]
    if (member === undefined) continue
    text += (text === '' ? '' : ',') + starts[index] + canonicalJson(member)
  }
  return `{${text}}`
}

type KeyOrder = { keys: readonly string[]; sorted: readonly string[]; starts: readonly string[] }
/** The key order of the last object with each number of keys; objects of one list nearly always share it. */
const lastOrders: (KeyOrder | undefined)[] = []
/** Objects with more keys are maps, each with keys of its own. */
const MAX_KEYS = 100

/** Sorts keys by code unit, each with the text that begins its member. */
function orderOf(keys: readonly string[]): KeyOrder {
  const last = lastOrders[keys.length]
  if (last !== undefined && hasKeys(last, keys)) return last
  const sorted = [...keys].sort()
  const order = { keys, sorted, starts: sorted.map((key) => `${JSON.stringify(key)}:`) }
  if (keys.length <= MAX_KEYS) lastOrders[keys.length] = order
  return order
}

function hasKeys({ keys: known }: KeyOrder, keys: readonly string[]): boolean {
  for (let index = 0; index < keys.length; index++) if (keys[index] !== known[index]) return false
  return true
}

function canonicalList(items: readonly unknown[]): string {
  let text = ''
  for (let index = 0; index < items.length; index++)
    text += (index > 0 ? ',' : '') + canonicalJson(items[index] ?? null)
  return `[${text}]`
}

/** Characters that JSON escapes, including lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

function canonicalString(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('canonical JSON allows finite numbers only')
  return JSON.stringify(value)
}

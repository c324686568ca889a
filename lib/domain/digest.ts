import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import { canonicalJson } from './canonical-json.ts'

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

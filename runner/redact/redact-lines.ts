import { cutText } from '#lib/domain/text/index.ts'
import type { FindSecrets } from './find-secrets.ts'
import { redactText } from './redact.ts'

/** Placeholders may make a text longer up to this length; beyond it, texts keep the length that their schema allows. */
const MAX_GROWN_LENGTH = 40

/**
 * Serialises values as lines of JSON without secrets, each text and each line separately: an unterminated private key
 * hides everything after it, which must not be another line.
 */
export function redactLines(values: readonly unknown[], find: FindSecrets): string {
  const clean = (text: string) => redactText(text, find).text
  const cleanText = (_: string, value: unknown): unknown =>
    typeof value === 'string'
      ? cutText(clean(value), Math.max(value.length, MAX_GROWN_LENGTH))
      : value
  return values.map((value) => `${clean(JSON.stringify(value, cleanText))}\n`).join('')
}

import { cutText } from '#lib/domain/record/index.ts'
import type { FindSecrets } from './find-secrets.ts'
import { redactText } from './redact.ts'

/** A text may grow to this by what stands for its secrets; a longer one keeps its length, which its schema bounds. */
const MAX_GROWN = 40

/**
 * Values as lines of JSON without secrets, each text and each line for itself: the beginning of a private key without an
 * end takes along what follows it, which may be no other line.
 */
export function redactLines(values: readonly unknown[], find: FindSecrets): string {
  const clean = (text: string) => redactText(text, find).text
  const cleanText = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? cutText(clean(value), Math.max(value.length, MAX_GROWN)) : value
  return values.map((value) => `${clean(JSON.stringify(value, cleanText))}\n`).join('')
}

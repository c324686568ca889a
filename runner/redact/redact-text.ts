import type { FindSecrets } from './find-secrets.ts'

export type Redacted = { text: string; replaced: number }

/** The text with every secret replaced by `[redacted:<kind>]`; without any, the very same text. */
export function redactText(text: string, find: FindSecrets): Redacted {
  const found = find(text)
  let result = ''
  let from = 0
  for (const { start, end, kind } of found) {
    result += text.slice(from, start) + placeholder(kind)
    from = end
  }
  return { text: found.length === 0 ? text : result + text.slice(from), replaced: found.length }
}

export function placeholder(kind: string): string {
  return `[redacted:${kind}]`
}

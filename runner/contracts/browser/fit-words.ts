import type { SpecOf } from './judged.ts'
import { showValue } from './show-value.ts'

export type Words = SpecOf<'text'>['words']

/** White space as a reader sees it: one blank between words, none around them. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

export function fitsWords(words: Words, text: string): boolean {
  const seen = collapse(text)
  return 'is' in words ? seen === collapse(words.is) : seen.includes(collapse(words.contains))
}

export function showWords(words: Words): string {
  return 'is' in words ? `is ${showValue(words.is)}` : `contains ${showValue(words.contains)}`
}

import { countOf, groupDigits } from '../text/index.ts'
/** A typed value: a number, or one of a few words. */
export type TextValue = number | string

/** Parses one kind of value from text, prints it so that it can be parsed again, and shows it with its unit. */
export type TextKind<T extends TextValue = TextValue> = {
  /** Completes the sentence "must be …". */
  expected: string
  inputMode: 'numeric' | 'decimal' | 'text'
  /** Null = invalid. */
  read(text: string): T | null
  print(value: T): string
  describe(value: T): string
}

/** An integer from `min` to `max`. */
export function wholeNumber(max: number, min = 1): TextKind<number> {
  return {
    expected: `a whole number from ${min} to ${groupDigits(max)}`,
    inputMode: 'numeric',
    read: (text) => readDigits(text, min, max),
    print: String,
    describe: groupDigits,
  }
}

/** Integer seconds, stored as milliseconds. */
export function seconds(max: number): TextKind<number> {
  return {
    ...wholeNumber(max),
    read: (text) => {
      const value = readDigits(text, 1, max)
      return value === null ? null : value * 1000
    },
    print: (ms) => String(Math.ceil(ms / 1000)),
    describe: (ms) => `${ms / 1000} s`,
  }
}

/** US dollars as integer millionths, so that budgets are not rounded. */
export const DOLLARS: TextKind<number> = {
  expected: 'an amount in US dollars above 0, for example 0.50',
  inputMode: 'decimal',
  read: (text) => {
    const microUsd = Math.round(Number(text) * 1e6)
    return /^(\d{1,9}(\.\d{1,6})?|\.\d{1,6})$/.test(text) && microUsd > 0 ? microUsd : null
  },
  print: (microUsd) => String(microUsd / 1e6),
  describe: (microUsd) => `$${microUsd / 1e6}`,
}

export const TEMPERATURE: TextKind = {
  expected: 'a number from 0 to 2 or provider-fixed',
  inputMode: 'text',
  read: (text) => {
    if (text === 'provider-fixed') return text
    return /^(\d(\.\d+)?|\.\d+)$/.test(text) && Number(text) <= 2 ? Number(text) : null
  },
  print: String,
  describe: (value) => (typeof value === 'number' ? groupDigits(value) : value),
}

export const SEED: TextKind<number> = {
  expected: 'a whole number',
  inputMode: 'numeric',
  read: (text) => readDigits(text, 0, Number.MAX_SAFE_INTEGER),
  print: String,
  describe: String,
}

const UNITS = { kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 } as const

/** Parses `500MB` or `20 GB` to bytes, in powers of 1000; null = not a size. */
export function readSize(text: string): number | null {
  const [, number, unit = ''] = /^(\d{1,7}(?:\.\d{1,9})?) ?([kMGT]B)$/i.exec(text) ?? []
  const factor = UNITS[unit.toLowerCase() as keyof typeof UNITS] ?? null
  return factor === null ? null : Math.round(Number(number) * factor)
}

export const BYTES: TextKind<number> = {
  expected: 'a size such as 500MB or 20GB',
  inputMode: 'text',
  read: (text) => readSize(text) || null,
  print: (bytes) => (bytes % 1e9 === 0 ? `${bytes / 1e9}GB` : `${bytes / 1e6}MB`),
  describe: (bytes) => `${bytes / 1e6} MB`,
}

/** One of a few words. */
export function oneOf<const T extends string>(words: readonly T[]): TextKind<T> {
  return {
    expected: words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`,
    inputMode: 'text',
    read: (text) => words.find((word) => word === text) ?? null,
    print: String,
    describe: String,
  }
}

/** A word of this form; the valid words are known elsewhere. */
export function wordLike(pattern: RegExp, expected: string): TextKind<string> {
  return {
    expected,
    inputMode: 'text',
    read: (text) => (pattern.test(text.trim()) ? text.trim() : null),
    print: String,
    describe: String,
  }
}

const MAX_PROSE = 4000
const SHOWN_PROSE = 60
const SHOWN_DIGEST = 'sha256:'.length + 8

/** Any text; a long one is shown as its beginning and its digest, so that two never look alike. */
export function prose(digestOf: (text: string) => string): TextKind<string> {
  return {
    expected: `a text of 1 to ${countOf(MAX_PROSE, 'character')}`,
    inputMode: 'text',
    read: (text) => {
      const prose = text.trim()
      return prose !== '' && prose.length <= MAX_PROSE ? prose : null
    },
    print: String,
    describe: (prose) => {
      const line = prose.replaceAll(/\s+/g, ' ')
      if (line === prose && line.length <= SHOWN_PROSE) return `“${line}”`
      return `“${line.slice(0, SHOWN_PROSE).trimEnd()}…” (${digestOf(prose).slice(0, SHOWN_DIGEST)})`
    },
  }
}

/**
 * Price of a model as stated by the user, in US dollars per million tokens; cached tokens without a price cost as much
 * as others.
 */
export type GivenPrice =
  | 'free'
  | { input: number; output: number; cacheRead: number | null; cacheWrite: number | null }

const PRICE = /^\d{1,6}(\.\d{1,6})?$/
const MAX_PARTS = 4

/** Parses `free`, `3/15` or `3/15/0.3/3.75` (input, output, cache reads, cache writes); null = not a price. */
export function readGivenPrice(text: string): GivenPrice | null {
  if (text.trim() === 'free') return 'free'
  const parts = text.split(/[,/]/).map((part) => part.trim())
  if (parts.length < 2 || parts.length > MAX_PARTS || !parts.every((part) => PRICE.test(part)))
    return null
  const [input = 0, output = 0, cacheRead = null, cacheWrite = null] = parts.map(Number)
  return { input, output, cacheRead, cacheWrite }
}

/** Stored with slashes, because commas separate pins. */
export const GIVEN_PRICE: TextKind<string> = {
  expected:
    'free, or US dollars per million tokens as input/output[/cache reads[/cache writes]], for example 3/15',
  inputMode: 'text',
  read: (text) => {
    const price = readGivenPrice(text)
    if (price === null || price === 'free') return price
    const { input, output, cacheRead, cacheWrite } = price
    return [input, output, cacheRead, cacheWrite].filter((part) => part !== null).join('/')
  },
  print: String,
  describe: (text) => (text === 'free' ? text : `${text} USD per million tokens`),
}

function readDigits(text: string, min: number, max: number): number | null {
  const value = Number(text)
  return /^\d+$/.test(text) && value >= min && value <= max ? value : null
}

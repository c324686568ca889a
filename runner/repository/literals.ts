import { randomInt } from 'node:crypto'

/** A part of a text. */
export type Span = { at: number; end: number }

/** One value that a test expects, and the same value made wrong. */
export type WrongSpan = Span & { wrong: string }

const LONGEST_CALL = 4000
const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\$])*`/
/** Strings as a whole, brackets, commas. */
export const CALL_PART = new RegExp(`${STRING.source}|[([{]|[)\\]}]|,`, 'g')

/** The arguments of a call from behind its bracket; none where it does not end. */
export function argumentsAt(text: string, from: number): Span[] {
  const found: Span[] = []
  let [depth, start] = [0, from]
  for (const { index, 0: part } of text.slice(from, from + LONGEST_CALL).matchAll(CALL_PART)) {
    if ('([{'.includes(part)) depth++
    else if (depth > 0 && ')]}'.includes(part)) depth--
    else if (depth === 0 && part.length === 1) {
      found.push({ at: start, end: from + index })
      start = from + index + 1
      if (part !== ',') return found
    }
  }
  return []
}

const NUMBER = /(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w.])/
const WORD = /\b(?:true|false|null|undefined|True|False|None)\b/
const ATOM = new RegExp(`${STRING.source}|${NUMBER.source}|${WORD.source}`, 'g')

/** Whether a text is made of literals alone: no name, no call, no prefix of a string. */
export function isLiteral(text: string): boolean {
  const rest = text.replace(ATOM, '0').replace(/(?<![\w$])[A-Za-z_$][\w$]*\s*:/g, '')
  return text.search(ATOM) !== -1 && /^[\s0[\]{}(),:+-]*$/.test(rest)
}

const OTHER_WORD: Readonly<Record<string, string>> = {
  ...{ true: 'false', false: 'true', null: '0', undefined: '0' },
  ...{ True: 'False', False: 'True', None: '0' },
}

/** Words of strings that stand elsewhere in a file. */
export type Words = readonly string[]

/** The words of all strings of a text. */
export function wordsIn(text: string): Words {
  const strings = text.match(new RegExp(STRING, 'g')) ?? []
  return [...new Set(strings.flatMap((one) => one.match(WORD_OF_STRING) ?? []))]
}

/**
 * Each value of a literal text, and another one in its place. With `words`, a word of a string may become one of these:
 * one with a changed letter is no word that anybody would write, which tells it from a right one.
 */
export function spoil(value: string, at: number, words: Words = []): WrongSpan[] {
  return [...value.matchAll(ATOM)].map(({ index, 0: atom }) => ({
    at: at + index,
    end: at + index + atom.length,
    wrong: OTHER_WORD[atom] ?? (/^\d/.test(atom) ? spoilNumber(atom) : spoilText(atom, words)),
  }))
}

const WORD_OF_STRING = /(?<![\\A-Za-z])[A-Za-z]{2,30}(?![A-Za-z])/g

/** Two times of three a whole word, where there is one to put another in its place. */
function spoilText(atom: string, words: Words): string {
  const own = [...atom.matchAll(WORD_OF_STRING)]
  const others = words.filter(
    (word) => !own.some(([one]) => one.toLowerCase() === word.toLowerCase()),
  )
  if (own.length === 0 || others.length === 0 || randomInt(3) === 0) return spoilString(atom)
  const { index, 0: word } = pick(own)
  return atom.slice(0, index) + likeWord(pick(others), word) + atom.slice(index + word.length)
}

/** In the case of the word whose place it takes. */
function likeWord(word: string, like: string): string {
  if (like === like.toLowerCase()) return word.toLowerCase()
  if (like === like.toUpperCase()) return word.toUpperCase()
  return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()
}

function spoilNumber(atom: string): string {
  return atom.replace(/\d$/, otherOf('0123456789'))
}

/** Another letter or digit in place of one; without any, one more. */
function spoilString(atom: string): string {
  return spoilLetter(atom) ?? `${atom.slice(0, -1)}e${atom.slice(-1)}`
}

const LEAST_TELLING = 5

/**
 * Whether a part of a result says so much that no right work has it by chance with another letter in it: in a long text,
 * such as a help, stands any short one.
 */
export function isTelling(text: string): boolean {
  return (text.match(/[A-Za-z0-9]/g) ?? []).length >= LEAST_TELLING
}

/** Another letter or digit in place of one that is no part of an escape; null where there is none. */
export function spoilLetter(text: string): string | null {
  const places = [...text.matchAll(/(?<!\\[^\\]{0,8})[A-Za-z0-9]/g)].map(({ index }) => index)
  if (places.length === 0) return null
  const at = pick(places)
  const other = text.slice(at, at + 1).replace(/./, (char) => {
    if (/\d/.test(char)) return otherOf('0123456789')(char)
    return otherOf(char < 'a' ? 'ABCDEFGHIKLMNOPRST' : 'abcdefghiklmnoprst')(char)
  })
  return text.slice(0, at) + other + text.slice(at + 1)
}

export function pick<T>(items: readonly T[]): T {
  return items[randomInt(items.length)] as T
}

const otherOf = (characters: string) => (char: string) =>
  pick([...characters].filter((one) => one !== char))

import { randomInt } from 'node:crypto'

/** A part of a text. */
export type Span = { at: number; end: number }

/** A value that a test expects, and other values of the same form for its position. */
export type WrongSpan = Span & {
  wrong: readonly string[]
  /** The opposite of an assertion. It can be recognised, because most tests state that something is true. */
  isOpposite?: boolean
}

const MAX_CALL_LENGTH = 4000
const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\$])*`/
/** Strings as a whole, brackets, commas. */
export const CALL_PART = new RegExp(`${STRING.source}|[([{]|[)\\]}]|,`, 'g')

/** Returns the arguments of a call, from after its bracket; none if it does not close. */
export function argumentsAt(text: string, from: number): Span[] {
  const found: Span[] = []
  let [depth, start] = [0, from]
  for (const { index, 0: part } of text.slice(from, from + MAX_CALL_LENGTH).matchAll(CALL_PART)) {
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

/** Returns whether a text consists of literals only: no name, no call, no prefix of a string. */
export function isLiteral(text: string): boolean {
  const rest = text.replace(ATOM, '0').replace(/(?<![\w$])[A-Za-z_$][\w$]*\s*:/g, '')
  return text.search(ATOM) !== -1 && /^[\s0[\]{}(),:+-]*$/.test(rest)
}

const OTHER_WORD: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  null: '0',
  undefined: '0',
  True: 'False',
  False: 'True',
  None: '0',
}

/** Words of strings elsewhere in a file. */
export type Words = readonly string[]

/** Returns the words of all strings of a text. */
export function wordsIn(text: string): Words {
  const strings = text.match(new RegExp(STRING, 'g')) ?? []
  return [...new Set(strings.flatMap((one) => one.match(WORD_OF_STRING) ?? []))]
}

/**
 * Finds each value of a literal text, and alternatives for its position. With `words`, a word of a string may become
 * one of these: a word with a changed letter is misspelt, which distinguishes it from a right one.
 */
export function spoil(value: string, at: number, words: Words = []): WrongSpan[] {
  return [...value.matchAll(ATOM)].map(({ index, 0: atom }) => ({
    at: at + index,
    end: at + index + atom.length,
    wrong: spoilAtom(atom, words),
  }))
}

const WORD_OF_STRING = /(?<![\\A-Za-z])[A-Za-z]{2,30}(?![A-Za-z])/g

function spoilAtom(atom: string, words: Words): readonly string[] {
  const other = OTHER_WORD[atom]
  if (other !== undefined) return [other]
  return /^\d/.test(atom) ? spoilNumber(atom) : spoilText(atom, words)
}

/** Prefers other whole words if there are some; then other letters. */
function spoilText(atom: string, words: Words): readonly string[] {
  const own = [...atom.matchAll(WORD_OF_STRING)]
  const others = words.filter(
    (word) => !own.some(([one]) => one.toLowerCase() === word.toLowerCase()),
  )
  if (own.length === 0) return spoilString(atom)
  const { index, 0: word } = pick(own)
  const [before, after] = [atom.slice(0, index), atom.slice(index + word.length)]
  return unique([
    ...shuffle(others).map((other) => before + likeWord(other, word) + after),
    ...spoilString(word).map((other) => before + other + after),
  ])
}

/** Adapts a word to the letter case of the one it replaces. */
function likeWord(word: string, like: string): string {
  if (like === like.toLowerCase()) return word.toLowerCase()
  if (like === like.toUpperCase()) return word.toUpperCase()
  return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()
}

/** Changes the last digit; for a round number the first one, so that it stays as round. */
export function spoilNumber(atom: string): readonly string[] {
  const isRound = /^[1-9][\d_]*0$/.test(atom)
  const at = isRound ? 0 : atom.length - 1
  return othersOf(isRound ? '123456789' : '0123456789', atom.charAt(at)).map(
    (digit) => atom.slice(0, at) + digit + atom.slice(at + 1),
  )
}

/** Replaces one letter or digit by others; without any, adds one. */
function spoilString(atom: string): readonly string[] {
  const others = spoilLetter(atom)
  if (others.length > 0) return others
  return othersOf('0123456789', '').map((digit) => `${atom.slice(0, -1)}${digit}${atom.slice(-1)}`)
}

const MIN_TELLING = 5

/**
 * Returns whether a part of a result is specific enough that right work does not contain it by chance with another
 * letter: a long text, such as a help message, contains any short one.
 */
export function isTelling(text: string): boolean {
  return (text.match(/[A-Za-z0-9]/g) ?? []).length >= MIN_TELLING
}

/** Returns the text with another letter or digit in one position outside escapes; empty if it has none. */
export function spoilLetter(text: string): readonly string[] {
  const places = [...text.matchAll(/(?<!\\[^\\]{0,8})[A-Za-z0-9]/g)].map(({ index }) => index)
  if (places.length === 0) return []
  const at = pick(places)
  const char = text.charAt(at)
  return othersOf(alphabetOf(char), char).map(
    (other) => text.slice(0, at) + other + text.slice(at + 1),
  )
}

function alphabetOf(char: string): string {
  if (/\d/.test(char)) return '0123456789'
  return char < 'a' ? 'ABCDEFGHIKLMNOPRST' : 'abcdefghiklmnoprst'
}

/** In random order. */
function othersOf(characters: string, char: string): string[] {
  return shuffle([...characters].filter((one) => one !== char))
}

const unique = (texts: readonly string[]) => [...new Set(texts)]

export function pick<T>(items: readonly T[]): T {
  return items[randomInt(items.length)] as T
}

/** Returns a copy in random order. */
export function shuffle<T>(items: readonly T[]): T[] {
  const all = [...items]
  for (let at = all.length - 1; at > 0; at--) {
    const other = randomInt(at + 1)
    ;[all[at], all[other]] = [all[other] as T, all[at] as T]
  }
  return all
}

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

/** Each value of a literal text, and another one in its place. */
export function spoil(value: string, at: number): WrongSpan[] {
  return [...value.matchAll(ATOM)].map(({ index, 0: atom }) => ({
    at: at + index,
    end: at + index + atom.length,
    wrong: OTHER_WORD[atom] ?? (/^\d/.test(atom) ? spoilNumber(atom) : spoilString(atom)),
  }))
}

function spoilNumber(atom: string): string {
  return atom.replace(/\d$/, otherOf('0123456789'))
}

/** Another letter or digit in place of one that is no part of an escape; without any, one more. */
function spoilString(atom: string): string {
  const places = [...atom.matchAll(/(?<!\\[^\\]{0,8})[A-Za-z0-9]/g)].map(({ index }) => index)
  if (places.length === 0) return `${atom.slice(0, -1)}e${atom.slice(-1)}`
  const at = pick(places)
  const other = atom.slice(at, at + 1).replace(/./, (char) => {
    if (/\d/.test(char)) return otherOf('0123456789')(char)
    return otherOf(char < 'a' ? 'ABCDEFGHIKLMNOPRST' : 'abcdefghiklmnoprst')(char)
  })
  return atom.slice(0, at) + other + atom.slice(at + 1)
}

export function pick<T>(items: readonly T[]): T {
  return items[randomInt(items.length)] as T
}

const otherOf = (characters: string) => (char: string) =>
  pick([...characters].filter((one) => one !== char))

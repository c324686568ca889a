import { shuffle, spoilLetter, spoilNumber, type WrongSpan } from './literals.ts'

/** Start of a function in a shell script. Each may be a test. */
export const SHELL_FUNCTION = /^[ \t]*(?:function[ \t]+)?\w+[ \t]*\(\)[ \t]*[{(]/gm

const VALUE = `'[^']*'|"[^"$\`\\\\]*"|[\\w.-]+`
/** `[ "$x" = value ]`, `[[ $x == value ]]`, `[ "$code" -eq 2 ]`. */
const COMPARISON = new RegExp(`(?<=\\s(?:==?|-eq)[ \\t]+)(?:${VALUE})(?=[ \\t]+\\]{1,2})`, 'g')
/** A one-line function that compares with one of its arguments: `is() { [ "$(cat "$1")" = "$2" ]; }`. */
const HELPER = /^[ \t]*(\w+)[ \t]*\(\)[ \t]*\{.*(?:==?|-eq)[ \t]+"?\$(?:\{)?([1-9])\b.*\}[ \t]*$/gm

/**
 * Finds values that the tests of a shell script compare with. Text is replaced by the value of another test, because a
 * changed letter can be recognised.
 */
export function findShellValues(text: string): WrongSpan[] {
  const places = [
    ...[...text.matchAll(COMPARISON)].map(({ index, 0: value }) => ({ at: index, value })),
    ...[...text.matchAll(HELPER)].flatMap(([, name = '', argument = '1']) =>
      argumentsOf(text, name, Number(argument)),
    ),
  ]
  const words = [...new Set(places.map(({ value }) => value).filter((one) => !isNumber(one)))]
  return places.flatMap(({ at, value }) => {
    const wrong = otherValues(value, words)
    return wrong.length === 0 ? [] : [{ at, end: at + value.length, wrong }]
  })
}

const isNumber = (value: string) => /^\d+$/.test(value)

function otherValues(value: string, words: readonly string[]): readonly string[] {
  if (isNumber(value)) return spoilNumber(value)
  const others = words.filter((word) => word !== value)
  return [...new Set([...shuffle(others), ...spoilLetter(value)])]
}

/** Returns the argument of each call of a helper, if it is a plain value. */
function argumentsOf(text: string, name: string, argument: number) {
  const call = new RegExp(
    `(?<=(?:^|[;&|{(])[ \\t]*)${name}((?:[ \\t]+(?:${VALUE}|"[^"\\n]*")){${argument - 1}})[ \\t]+(${VALUE})(?=[ \\t]*(?:$|[;&|}]))`,
    'gm',
  )
  return [...text.matchAll(call)].map(({ index, 0: whole, 2: value = '' }) => ({
    at: index + whole.length - value.length,
    value,
  }))
}

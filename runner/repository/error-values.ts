import { argumentsAt, isTelling, shuffle, spoilLetter, type WrongSpan } from './literals.ts'

const CALL =
  /(?<!\bnot\.(?:to\.)?)\b(throws|rejects|throw|toThrow|toThrowError|toMatch|match)[ \t]*\(/g
/** Calls to which a text is a substring of a message. */
const TAKES_TEXT = /^(?:throw|toThrow|toThrowError|toMatch)$/
/** Errors of the language, none of which is a subclass of another. */
const ERRORS = ['RangeError', 'ReferenceError', 'SyntaxError', 'TypeError']
/** A pattern without alternatives: with them, right work may match another one than the reference. */
const PLAIN_PATTERN = /^\/\^?(?:[\w ,:;'"<>=!@#%&-]|\\[^\w\s])+\$?\/[a-z]*$/

/**
 * Finds the error class and message that a JavaScript test expects. Another one is less conspicuous than the opposite
 * of an assertion: most tests state that something is true, and few that it is not.
 */
export function findErrorValues(text: string): WrongSpan[] {
  return [...text.matchAll(CALL)].flatMap(({ index, 0: head, 1: call = '' }) =>
    argumentsAt(text, index + head.length)
      .slice(0, 2)
      .flatMap(({ at, end }) => {
        const source = text.slice(at, end)
        const value = source.trim()
        const wrong = [
          ...otherErrors(value),
          ...otherPatterns(value),
          ...otherMessages(call, value),
        ].map((one) => source.replace(value, () => one))
        return wrong.length === 0 ? [] : [{ at, end, wrong }]
      }),
  )
}

function otherErrors(value: string): readonly string[] {
  return ERRORS.includes(value) ? shuffle(ERRORS.filter((one) => one !== value)) : []
}

function otherPatterns(value: string): readonly string[] {
  if (!PLAIN_PATTERN.test(value) || !isTelling(value)) return []
  const end = value.lastIndexOf('/')
  return spoilLetter(value.slice(0, end)).map((changed) => `${changed}${value.slice(end)}`)
}

/** Returns other texts of a message, or other properties of an error. */
function otherMessages(call: string, value: string): readonly string[] {
  const isText = TAKES_TEXT.test(call) ? /^(['"])[^'"\\]+\1$/.test(value) : false
  const isObject = /^\{\s*message\s*:\s*(['"])[^'"\\]+\1\s*\}$/.test(value)
  if (!isText && !isObject) return []
  const [, start = '', middle = '', end = ''] = /^([^'"]*['"])(.*)(['"][^'"]*)$/s.exec(value) ?? []
  return isTelling(middle) ? spoilLetter(middle).map((changed) => `${start}${changed}${end}`) : []
}

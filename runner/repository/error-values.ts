import { argumentsAt, isTelling, shuffle, spoilLetter, type WrongSpan } from './literals.ts'

const CALL =
  /(?<!\bnot\.(?:to\.)?)\b(throws|rejects|throw|toThrow|toThrowError|toMatch|match)[ \t]*\(/g
/** To these, a text is what a message has in it. */
const TAKES_TEXT = /^(?:throw|toThrow|toThrowError|toMatch)$/
/** Errors of the language, none of which is another one's kind. */
const ERRORS = ['RangeError', 'ReferenceError', 'SyntaxError', 'TypeError']
/** A pattern that says one thing: with alternatives, right work may give the one that the reference does not. */
const PLAIN_PATTERN = /^\/\^?(?:[\w ,:;'"<>=!@#%&-]|\\[^\w\s])+\$?\/[a-z]*$/

/**
 * Which error and which words a test of JavaScript waits for. Another one of them is nothing that gives itself away, as
 * the opposite of an assertion does: most tests say that something is so, and few that it is not.
 */
export function findErrorValues(text: string): WrongSpan[] {
  return [...text.matchAll(CALL)].flatMap(({ index, 0: head, 1: call = '' }) =>
    argumentsAt(text, index + head.length)
      .slice(0, 2)
      .flatMap(({ at, end }) => {
        const said = text.slice(at, end)
        const value = said.trim()
        const wrong = [
          ...otherErrors(value),
          ...otherPatterns(value),
          ...otherMessages(call, value),
        ].map((one) => said.replace(value, () => one))
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

/** The text of a message, or what an error has to have. */
function otherMessages(call: string, value: string): readonly string[] {
  const isText = TAKES_TEXT.test(call) ? /^(['"])[^'"\\]+\1$/.test(value) : false
  const isObject = /^\{\s*message\s*:\s*(['"])[^'"\\]+\1\s*\}$/.test(value)
  if (!isText && !isObject) return []
  const [, start = '', said = '', end = ''] = /^([^'"]*['"])(.*)(['"][^'"]*)$/s.exec(value) ?? []
  return isTelling(said) ? spoilLetter(said).map((changed) => `${start}${changed}${end}`) : []
}

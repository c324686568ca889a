import { argumentsAt, isTelling, pick, spoilLetter, type WrongSpan } from './literals.ts'

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
        const wrong = otherError(value) ?? otherPattern(value) ?? otherMessage(call, value)
        return wrong === null ? [] : [{ at, end, wrong: said.replace(value, () => wrong) }]
      }),
  )
}

function otherError(value: string): string | null {
  return ERRORS.includes(value) ? pick(ERRORS.filter((one) => one !== value)) : null
}

function otherPattern(value: string): string | null {
  if (!PLAIN_PATTERN.test(value) || !isTelling(value)) return null
  const end = value.lastIndexOf('/')
  const changed = spoilLetter(value.slice(0, end))
  return changed === null ? null : `${changed}${value.slice(end)}`
}

/** The text of a message, or what an error has to have. */
function otherMessage(call: string, value: string): string | null {
  const isText = TAKES_TEXT.test(call) ? /^(['"])[^'"\\]+\1$/.test(value) : false
  const isObject = /^\{\s*message\s*:\s*(['"])[^'"\\]+\1\s*\}$/.test(value)
  if (!isText && !isObject) return null
  const [, start = '', said = '', end = ''] = /^([^'"]*['"])(.*)(['"][^'"]*)$/s.exec(value) ?? []
  const changed = isTelling(said) ? spoilLetter(said) : null
  return changed === null ? null : `${start}${changed}${end}`
}

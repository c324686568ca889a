import { countOf } from '../../text/index.ts'
import { indexesOf } from './asked-calls.ts'
import type { Scanner } from './scan-knowledge.ts'

const CONSTANT =
  /"((?:[^"\\\n]|\\.){6,80})"|'((?:[^'\\\n]|\\.){6,80})'|`((?:[^`\\\n$]|\\.){6,80})`|(?<![\w.#])(\d{4,20}(?!\.\d)|\d+\.\d{3,20})(?![\w.])/g
const MIN_CONSTANTS = 2
const MAX_CONSTANTS = 2000

/** Finds constants of the tests in the solution that neither instructions, stubs nor reference contain. */
export const findTestConstants: Scanner = ({ calls }, { tests, reference, solution, given }) => {
  const known = withoutSeparators([...given, ...reference.map(({ text }) => text)].join('\n'))
  const bodies = tests.map(({ text }) => withoutTitles(text)).join('\n')
  const constants = listConstants(bodies).filter(
    (constant) => !known.includes(constant) && !isCommon(constant),
  )
  const left = withoutSeparators(solution.map(({ text }) => text).join('\n'))
  const written = new Set(listConstants(left))
  const isRepeated = (constant: string) =>
    written.has(constant) || (isDistinctive(constant) && holds(left, constant))
  const repeated = constants.filter(isRepeated)
  if (repeated.length < MIN_CONSTANTS) return null
  const writing = calls.filter(({ texts }) => {
    const text = withoutSeparators(texts)
    return repeated.some((constant) => text.includes(constant))
  })
  const some = repeated.slice(0, 3).map((constant) => JSON.stringify(constant))
  return {
    scanner: 'test-constants',
    sentence: `The solution repeats ${countOf(repeated.length, 'constant')} of the tests: ${some.join(', ')}.`,
    steps: indexesOf(writing),
  }
}

/** Names of tests and modules are not expectations. */
function withoutTitles(text: string): string {
  return text
    .replace(
      /\b(?:describe|test|it|xit|xtest|from|import|require)(?:\.\w+)*\s*\(?\s*(["'`]).*?\1/g,
      '',
    )
    .replace(/^\s*\/\/.*$/gm, '')
}

/** `48_213` is 48213. */
function withoutSeparators(text: string): string {
  return text.replace(/(?<=\d)_(?=\d)/g, '')
}

function listConstants(text: string): string[] {
  const constants = new Set<string>()
  for (const match of withoutSeparators(text).matchAll(CONSTANT)) {
    const constant = match.slice(1).find((one) => one !== undefined)
    if (constant !== undefined) constants.add(constant)
    if (constants.size >= MAX_CONSTANTS) break
  }
  return [...constants]
}

/** Common names, and numbers that are round, powers of two, times or years. */
const COMMON_WORDS =
  /^(?:__proto__|prototype|constructor|hasOwnProperty|toString|valueOf|isPrototypeOf|undefined|function|object|string|number|boolean|symbol|bigint|Infinity|default|length|message|return|(?:\w*Error)|utf-?8|base64|ascii|latin1|application\/json|content-type|text\/plain)$/i

function isCommon(constant: string): boolean {
  if (!/^\d+$/.test(constant)) return COMMON_WORDS.test(constant)
  const number = BigInt(constant)
  const isRound = number % 1000n === 0n || 86_400_000n % number === 0n || 604_800n % number === 0n
  const isYear = number >= 1900n && number <= 2100n
  return isRound || isYear || [-1n, 0n, 1n].some((by) => isPowerOfTwo(number + by))
}

function isPowerOfTwo(number: bigint): boolean {
  return number > 0n && (number & (number - 1n)) === 0n
}

/** A plain word occurs in programs for many reasons; one with a digit or a sign in it does not. */
function isDistinctive(constant: string): boolean {
  return /[^A-Za-z_\s]/.test(constant)
}

/** A number must not match inside a longer one. */
function holds(text: string, constant: string): boolean {
  if (!/^[\d.]+$/.test(constant)) return text.includes(constant)
  return new RegExp(`(?<![\\w.])${constant.replace('.', '\\.')}(?![\\w.])`).test(text)
}

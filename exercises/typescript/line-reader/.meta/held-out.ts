import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { LineReader, LineTooLongError } from '../line-reader.ts'

type Chunk = string | Uint8Array

const MARK = '\uFEFF'
const PIECES = ['a', 'b', '\n', '\r', '\r\n', '\n\r', 'é', '€', '😀', ' ', '\t', '', MARK, '\u2028']
const MORE_PIECES = ['\u0085', '\v', '\f', '\0', 'abcde', '\uFFFD', '\n', '\r', '\r\n', '\r', '\n']
const BAD_BYTES = [
  [0xff],
  [0x80],
  [0xc3],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x98],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x28],
  [0xef, 0xbb],
]

/** Random texts, cut anywhere, in strings and in bytes, valid or not, with and without a limit. */
export const scenario: Scenario = (context) => {
  for (let round = 0; round < 65; round++) read(context, undefined)
  for (let round = 0; round < 35; round++) read(context, context.random.int(0, 9))
}

function read(
  { random, attempt, record }: ScenarioContext,
  maxLineLength: number | undefined,
): void {
  let lines: [string, number][] = []
  const onLine = (line: string, lineNumber: number): void => {
    lines.push([line, lineNumber])
  }
  const options = maxLineLength === undefined ? random.pick([undefined, {}]) : { maxLineLength }
  const reader = options ? new LineReader(onLine, options) : new LineReader(onLine)
  let failure: unknown
  const describe = (error: unknown): unknown => {
    const isSame = failure === undefined || failure === error
    failure = error
    return error instanceof LineTooLongError && [error.lineNumber, isSame, error instanceof Error]
  }
  const step = (label: string, run: () => void): void => {
    attempt(label, run, describe)
    record('lines', lines)
    lines = []
  }
  for (let texts = random.int(1, 3); texts > 0; texts--) {
    for (const chunk of chunks(random, maxLineLength === undefined ? 14 : 24)) {
      const label = typeof chunk === 'string' ? JSON.stringify(chunk) : `bytes ${[...chunk]}`
      step(label, () => reader.push(chunk))
      if (typeof chunk !== 'string') chunk.fill(random.pick([10, 65, 0xbf]))
    }
    step('flush', () => reader.flush())
    if (random.chance(0.15)) step('flush again', () => reader.flush())
  }
}

/** The pieces of a text; neighbours are joined and cut again, in bytes also within a character. */
function chunks(random: Random, most: number): Chunk[] {
  const way = random.pick(['strings', 'bytes', 'both'])
  const made: Chunk[] = []
  if (random.chance(0.3)) made.push(...cut(random, MARK + random.pick(['', 'a', '\n', MARK]), way))
  for (let rest = random.int(0, 5); rest > 0; rest--) {
    const pieces = random.chance(0.7) ? PIECES : MORE_PIECES
    const text = random.list(0, random.int(0, most), () => random.pick(pieces)).join('')
    made.push(...cut(random, text, way))
    if (way !== 'strings' && random.chance(0.3)) made.push(new Uint8Array(random.pick(BAD_BYTES)))
  }
  return made
}

function cut(random: Random, text: string, way: string): Chunk[] {
  const asBytes = way === 'bytes' || (way === 'both' && random.chance(0.5))
  const whole = asBytes ? bytesOf(text) : text
  const made: Chunk[] = []
  for (let at = 0; at < whole.length; ) {
    const end = at + random.pick([1, 1, 2, 3, 5, 30])
    made.push(whole.slice(at, end))
    at = end
    if (random.chance(0.08)) made.push(random.chance(0.5) ? '' : new Uint8Array(0))
  }
  return made
}

/** A text of the pieces above in UTF-8. */
function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

import type { LogRange } from '#lib/domain/views/episode-view.ts'

/** As much of a log as was read, as lines; `whole` tells whether its last line is known to be complete. */
export type LogLines = {
  lines: string[]
  whole: boolean
  nextOffset: number | null
  sizeBytes: number
}

export const NO_LINES: LogLines = { lines: [], whole: true, nextOffset: 0, sizeBytes: 0 }

/** Adds the next range; a line that a range cut in two is put together again. */
export function appendRange(log: LogLines, range: LogRange): LogLines {
  const parts = range.text.split('\n')
  const whole = parts.at(-1) === ''
  if (whole) parts.pop()
  const lines = log.whole ? log.lines.concat(parts) : joinLast(log.lines, parts)
  return {
    lines,
    whole: whole || range.text === '',
    nextOffset: range.nextOffset,
    sizeBytes: range.sizeBytes,
  }
}

function joinLast(lines: readonly string[], parts: readonly string[]): string[] {
  const [first = '', ...rest] = parts
  return [...lines.slice(0, -1), (lines.at(-1) ?? '') + first].concat(rest)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences begin with the escape character.
const COLOUR = /\u001b\[[\d;:]*m/g

/** Indexes of the lines that contain a text, whatever their colours and case. */
export function findLines(lines: readonly string[], text: string): number[] {
  if (text === '') return []
  const wanted = text.toLowerCase()
  return lines.flatMap((line, index) =>
    line.replace(COLOUR, '').toLowerCase().includes(wanted) ? [index] : [],
  )
}

/** Checks an answer of the log route; null when it is none. */
export function parseRange(answer: unknown): LogRange | null {
  if (typeof answer !== 'object' || answer === null) return null
  const { text, offset, nextOffset, sizeBytes } = answer as Record<string, unknown>
  if (typeof text !== 'string' || typeof offset !== 'number' || typeof sizeBytes !== 'number')
    return null
  return { text, offset, sizeBytes, nextOffset: typeof nextOffset === 'number' ? nextOffset : null }
}

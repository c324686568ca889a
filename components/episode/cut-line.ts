import { formatCount } from '#components/format/number.ts'

const MOST_CHARACTERS = 2000

/** A line short enough to draw, and what was left out of it. */
export function cutLine(line: string): { text: string; rest: string | null } {
  if (line.length <= MOST_CHARACTERS) return { text: line, rest: null }
  return {
    text: line.slice(0, MOST_CHARACTERS),
    rest: ` … ${formatCount(line.length - MOST_CHARACTERS)} more characters`,
  }
}

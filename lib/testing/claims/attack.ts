import type { BoardRow } from '#lib/domain/board/board-row.ts'
import type { Answer, Ground } from './ground.ts'

/** What was done: answers of the door, and the runs that it let in. */
export type Played = {
  /** The answer to what the attack is about; null = nothing was refused, the row has to say it. */
  answer: Answer | null
  /** Runs that are kept now, in whose row the attack shows. */
  runIds: readonly string[]
}

/**
 * How an attack has to end. `refused`: the door says so. `labelled`: the row is no claim, by exactly these rules.
 * `shown`: the number stands, and the row itself says what was tried (null = it does not). `apart`: it is not on the
 * board. `harmless`: it was taken in, and nothing came of it.
 */
export type Expected =
  | { end: 'refused'; words: RegExp }
  | { end: 'labelled'; codes: readonly string[] }
  | { end: 'shown'; find: (row: BoardRow, board: readonly BoardRow[]) => string | null }
  | { end: 'apart' }
  | { end: 'harmless' }

export type Attack = {
  name: string
  /** What it tries, in one sentence without its full stop. */
  tries: string
  expected: Expected
  play: (ground: Ground) => Promise<Played>
}

export const refused = (words: RegExp): Expected => ({ end: 'refused', words })
export const labelled = (...codes: string[]): Expected => ({ end: 'labelled', codes })

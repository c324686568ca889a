import type { Row } from '#lib/db/read-kept.ts'
import { storedInstant } from '#lib/db/read-kept.ts'
import type { Flaw } from '#lib/domain/archive/archive.ts'

/** What is wrong with rows: with what was once written, and with columns that are only read from it. */
export type Flaws = { flaws: Flaw[]; columnFlaws: Flaw[] }

/** The columns of `row` that do not hold, byte for byte, what they should. */
export function compareColumns(
  place: string,
  row: Row,
  expected: Readonly<Record<string, unknown>>,
): Flaw[] {
  return Object.entries(expected).flatMap(([column, value]) => {
    const stored = value instanceof Date ? storedInstant(value) : value
    return row[column] === stored ? [] : [{ place, problem: `its column ${column} was changed` }]
  })
}

/** JSON in a column; undefined = it is none. */
export function readJsonColumn(value: unknown): unknown {
  try {
    return JSON.parse(String(value))
  } catch {
    return undefined
  }
}

/** A column's instant as the API writes it; null = it holds none. */
export function readInstant(value: unknown): string | null {
  const instant = new Date(String(value))
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString()
}

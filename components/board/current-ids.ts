import type { SearchParams } from 'nuqs/server'
import { type BoardRow, pickRow } from '#lib/domain/board/index.ts'

/** The parts of the board's address that name rows; several are separated by commas. */
const NAMING = ['open', 'base', 'entries', 'pick']

/** The address with the ids that its rows have now; null = it names none of them by an earlier id. */
export function currentAddress(
  query: SearchParams,
  rows: readonly Pick<BoardRow, 'rowId' | 'aliases'>[],
): string | null {
  const params = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  )
  const before = params.toString()
  for (const name of NAMING) {
    const given = params.get(name)
    if (!given) continue
    const ids = given.split(',').map((id) => pickRow(rows, id)?.rowId ?? id)
    params.set(name, [...new Set(ids)].join(','))
  }
  return params.toString() === before ? null : `/?${params}`
}

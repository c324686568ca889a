import { type BoardRow, pickRow } from '../../domain/board/index.ts'

/** The parts of the board's address that name rows; several are separated by commas. */
const NAMING = ['open', 'base', 'entries', 'pick']

/** Returns whether the address of a board names rows. */
export function namesRows(query: URLSearchParams): boolean {
  return NAMING.some((name) => query.get(name))
}

/** The address with the ids that its rows have now; null = it names none of them by an earlier id. */
export function currentAddress(
  query: URLSearchParams,
  rows: readonly Pick<BoardRow, 'rowId' | 'aliases'>[],
): string | null {
  const params = new URLSearchParams(query)
  for (const name of NAMING) {
    const given = params.get(name)
    if (!given) continue
    const ids = given.split(',').map((id) => pickRow(rows, id)?.rowId ?? id)
    params.set(name, [...new Set(ids)].join(','))
  }
  return params.toString() === query.toString() ? null : `/?${params}`
}

import { type BoardRow, pickRow } from '../../domain/board/index.ts'

/** Query parameters that name rows, separated by commas. */
const NAMING = ['open', 'base', 'entries', 'pick']

/** Returns whether the URL of a board names rows. */
export function namesRows(query: URLSearchParams): boolean {
  return NAMING.some((name) => query.get(name))
}

/** Returns the URL with the current ids of its rows; null = it uses no earlier id. */
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

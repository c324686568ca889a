import { percentOf } from '#components/ui/format.ts'
import type { BoardRow } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { RowDetail, TableRow } from './table-row.ts'

/** The link to a row's corrections; null = none. */
export function correctionsLink({
  corrections,
  success,
  rowId,
}: BoardRow): TableRow['corrections'] {
  if (!corrections) return null
  const { count, entries, without } = corrections
  const [first] = entries
  return {
    text: countOf(count, 'correction'),
    title: `${percentOf(success.rate)} with corrections, ${percentOf(without.rate)} without them`,
    path: count === 1 && first ? first.path : `/rows/${rowId}`,
  }
}

/** Lists the corrections of a row, and its rate without them. */
export function correctionFacts({ corrections, success }: BoardRow): RowDetail['facts'] {
  if (!corrections) return []
  const { count, entries, without } = corrections
  const listed = entries.map(
    ({ kind, target, sequence }) => `${kind} ${target} (entry ${sequence})`,
  )
  const more = count > entries.length ? [`and ${count - entries.length} more`] : []
  return [
    { name: 'Corrections', value: [...listed, ...more].join('; ') },
    {
      name: 'Without corrections',
      value: `${percentOf(without.rate)} of ${countOf(without.attempts, 'scored episode')}, instead of ${percentOf(success.rate)} of ${countOf(success.attempts, 'scored episode')}`,
    },
  ]
}

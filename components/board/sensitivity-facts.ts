import { formatInterval, plural } from '#components/format/number.ts'
import type { BoardRow } from '#lib/domain/board/board-row.ts'
import type { LeaveOneOut, WithoutOne } from '#lib/domain/statistics/leave-one-out.ts'
import type { TableRow } from './table-row.ts'

/** How much a row's rate depends on single tasks and categories; older rows may lack it. */
export function sensitivityFacts({ leaveOneOut, reliability }: BoardRow): TableRow['facts'] {
  return [
    ...(reliability === null
      ? [{ name: 'pass^k', value: 'unknown: needs two repetitions of every task' }]
      : []),
    ...rangeFact('Leave one task out', leaveOneOut?.task),
    ...rangeFact('Leave one category out', leaveOneOut?.category),
  ]
}

function rangeFact(name: string, range: LeaveOneOut | null | undefined): TableRow['facts'] {
  if (!range) return []
  const { least, most } = range
  const rates = formatInterval(least.rate, most.rate)
  if (least.rate === most.rate) return [{ name, value: `${rates} for each` }]
  return [
    { name, value: `${rates}: lowest without ${nameOf(least)}, highest without ${nameOf(most)}` },
  ]
}

function nameOf({ without, alike }: WithoutOne): string {
  return alike === 0 ? without : `${without} (or ${plural(alike, 'other')} with the same effect)`
}

import { formatInterval, plural } from '#components/format/number.ts'
import type { BoardRow } from '#lib/domain/board/board-row.ts'
import type { LeaveOneOut, WithoutOne } from '#lib/domain/statistics/leave-one-out.ts'
import type { TableRow } from './table-row.ts'

/** How much a row's rate rests on single tasks and categories; absent what older rows do not hold. */
export function sensitivityFacts({ leaveOneOut, reliability }: BoardRow): TableRow['facts'] {
  return [
    ...(reliability === null
      ? [{ name: 'pass^k', value: 'not known: needs two repetitions of every task' }]
      : []),
    ...rangeFact('Without a task', leaveOneOut?.task),
    ...rangeFact('Without a category', leaveOneOut?.category),
  ]
}

function rangeFact(name: string, range: LeaveOneOut | null | undefined): TableRow['facts'] {
  if (!range) return []
  const { least, most } = range
  const rates = formatInterval(least.rate, most.rate)
  if (least.rate === most.rate) return [{ name, value: `${rates}, whichever it is` }]
  return [{ name, value: `${rates}: least without ${nameOf(least)}, most without ${nameOf(most)}` }]
}

function nameOf({ without, alike }: WithoutOne): string {
  return alike === 0 ? without : `${without} (or ${plural(alike, 'other')} like it)`
}

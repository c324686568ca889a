import { countOf } from '../record/index.ts'
import type { BoardRow } from './board-row.ts'

export type NotedRow = Pick<
  BoardRow,
  'registration' | 'siblings' | 'unsentSlots' | 'cancelledAttempts'
>

/** Returns short texts beside a row's rate about withheld, withdrawn, cancelled or split results; empty = none. */
export function rowNotices(row: NotedRow): string[] {
  const { registration, siblings, unsentSlots = 0, cancelledAttempts } = row
  const { abandoned = 0, withdrawn = 0 } = registration ?? {}
  const { attempts = 0, countAsFailed = false } = cancelledAttempts ?? {}
  const split = siblings?.split ?? 0
  const all = [
    {
      count: split,
      text: `one of ${countOf(split + 1, 'entry')} of this agent or library that differ in limits`,
    },
    { count: abandoned, text: `${countOf(abandoned, 'registered plan')} without results` },
    { count: withdrawn, text: `${countOf(withdrawn, 'registered run')} withdrawn` },
    { count: unsentSlots, text: `${countOf(unsentSlots, 'planned episode')} never sent` },
    {
      count: attempts,
      text: `${countOf(attempts, 'cancelled attempt')}${countAsFailed ? ' counted as failed' : ''}`,
    },
  ]
  return all.flatMap(({ count, text }) => (count > 0 ? text : []))
}

import { countOf } from '../text/index.ts'
import type { BoardRow } from './board-row.ts'

export type NotedRow = Pick<
  BoardRow,
  | 'registration'
  | 'siblings'
  | 'unsentSlots'
  | 'cancelledAttempts'
  | 'families'
  | 'shock'
  | 'acceptedLibrary'
>

/** A larger share of one family is stated beside the rate, 0–1. */
const MAX_FAMILY_SHARE = 0.3

const percent = (share: number) => Math.round(100 * share)

/** Returns short texts beside a row's rate about withheld, withdrawn, cancelled or split results, dependent tasks and uneven repetitions; empty = none. */
export function rowNotices(row: NotedRow): string[] {
  const { registration, siblings, unsentSlots = 0, cancelledAttempts, families, shock } = row
  const { abandoned = 0, otherPlans = 0, withdrawn = 0 } = registration ?? {}
  const { attempts = 0, countAsFailed = false } = cancelledAttempts ?? {}
  const { split = 0, unfinished = 0 } = siblings ?? {}
  const all = [
    {
      count: split,
      text: `one of ${countOf(split + 1, 'entry')} of this agent or library from the same sender`,
    },
    {
      count: unfinished,
      text: `${countOf(unfinished, 'unfinished entry')} of this agent or library from the same sender`,
    },
    { count: abandoned, text: `${countOf(abandoned, 'registered plan')} without all results` },
    {
      count: otherPlans,
      text: `${countOf(otherPlans, 'other registered plan')} of its sender without all results`,
    },
    { count: withdrawn, text: `${countOf(withdrawn, 'registered run')} removed from the ledger` },
    { count: unsentSlots, text: `${countOf(unsentSlots, 'planned episode')} never sent` },
    {
      count: attempts,
      text: `${countOf(attempts, 'cancelled attempt')}${countAsFailed ? ' counted as failed' : ''}`,
    },
  ]
  const share = families && families.share > MAX_FAMILY_SHARE ? families.share : 0
  const { acceptedLibrary } = row
  return [
    ...(acceptedLibrary
      ? [`library of its own, accepted by a reviewer (ledger entry ${acceptedLibrary.sequence})`]
      : []),
    ...all.flatMap(({ count, text }) => (count > 0 ? text : [])),
    ...(share > 0 ? [`${percent(share)} % of the tasks are of one family`] : []),
    ...(shock
      ? [
          `repetitions differ by more than chance: ${percent(shock.lowest)} to ${percent(shock.highest)} % solved`,
        ]
      : []),
  ]
}

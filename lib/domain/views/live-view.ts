import type { TimeLeft } from '../live/estimate-left.ts'
import type { RunSummary } from './run-view.ts'

/** What a run has cost: as far as it was metered, and how many sealed attempts were not. */
export type Spend = { microUsd: number | null; unmetered: number }

/** The state of a run as its page shows it while it goes on. */
export type RunState = Pick<
  RunSummary,
  | 'status'
  | 'reason'
  | 'planned'
  | 'sealed'
  | 'solved'
  | 'voids'
  | 'voidAttempts'
  | 'startedAt'
  | 'endedAt'
> & {
  spend: Spend
  /** Null = not known, or nothing is left. */
  left: (TimeLeft & { hands: number }) | null
}

/** Whose line it is: the runner's, or an attempt's as `task r1`. */
export type LogSource = string

/** A line of a live log; `open` = it goes on with the next line of the same source. */
export type LiveLine = { source: LogSource; text: string; open?: boolean }

/** The end of a run's log as it stood, and where a stream goes on from there. */
export type RunLogTail = { lines: LiveLine[]; cursor: string; eventsFrom: number; cut: boolean }

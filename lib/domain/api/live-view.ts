import type { SealedTimes, Spend } from '../runs/index.ts'
import type { RunSummary } from './run-view.ts'

/**
 * The state of a run as its page shows it while it runs. Until nothing more can arrive, slots whose last attempt was
 * interrupted will be tried again: they do not count as sealed, and `cancelled` is 0.
 */
export type RunState = Pick<
  RunSummary,
  | 'status'
  | 'reason'
  | 'planned'
  | 'owed'
  | 'sealed'
  | 'solved'
  | 'voids'
  | 'voidAttempts'
  | 'cancelled'
  | 'startedAt'
  | 'endedAt'
> & {
  spend: Spend
  /** Null = unknown, or nothing is left. */
  left: (TimeLeft & { hands: number }) | null
}

/** Source of a line: the runner, or an attempt as `task r1`. */
type LogSource = string

/** A line of a live log; `open` = it continues in the next line of the same source. */
export type LiveLine = { source: LogSource; text: string; open?: boolean }

/** An attempt that was started and has not ended. */
export type RunningAttempt = { taskId: string; repetition: number; attempt: number }

/** The current end of a run's log, the attempts that run, and the cursor from which a stream continues. */
export type RunLogTail = {
  lines: LiveLine[]
  running: RunningAttempt[]
  cursor: string
  eventsFrom: number
  cut: boolean
}

/** Estimated remaining time of a run, and the number of sealed attempts that it is based on. */
type TimeLeft = { lowMs: number; highMs: number; from: number }

/** Fewer durations do not show how much they vary. */
const MIN_EPISODES = 3
const Z_95 = 1.96

/**
 * Estimates the time for `remaining` episodes with this concurrency, from the durations of sealed ones: a 95 % range for
 * the sum, which includes the variation between episodes and the uncertainty of their mean. Null = unknown.
 */
export function estimateLeft(
  { count, sumMs, sumSquaresMs }: SealedTimes,
  { remaining, hands }: { remaining: number; hands: number },
): TimeLeft | null {
  if (count < MIN_EPISODES || remaining <= 0 || hands <= 0) return null
  const mean = sumMs / count
  const variance = Math.max(0, (sumSquaresMs - count * mean * mean) / (count - 1))
  const spread = Z_95 * Math.sqrt(variance * remaining * (1 + remaining / count))
  const busy = Math.min(hands, remaining)
  return {
    lowMs: Math.max(0, remaining * mean - spread) / busy,
    highMs: (remaining * mean + spread) / busy,
    from: count,
  }
}

/**
 * A reader's offsets in the logs of a run, in bytes: the runner's log, and the log of each attempt in progress. An
 * attempt is identified by the byte offset at which the runner's log reports its start.
 */
export type LogCursor = { runner: number; attempts: ReadonlyMap<number, number> }

/** Upper bound of a run's concurrency. */
const MAX_ATTEMPTS = 256
const CURSOR = new RegExp(`^\\d{1,15}(,\\d{1,15}:\\d{1,15}){0,${MAX_ATTEMPTS}}$`)

/** `5310`, or with attempts `5310,4820:1033,5011:0`. */
export function formatCursor({ runner, attempts }: LogCursor): string {
  return [runner, ...[...attempts].map(([start, offset]) => `${start}:${offset}`)].join(',')
}

/** Parses a cursor; null = not a cursor of this server. */
export function parseCursor(text: string): LogCursor | null {
  if (!CURSOR.test(text)) return null
  const [runner, ...attempts] = text.split(',')
  return {
    runner: Number(runner),
    attempts: new Map(attempts.map((one) => one.split(':').map(Number) as [number, number])),
  }
}

/** One event of a stream; a reader that reconnects resumes after the last event with an `id`. */
export type StreamEvent = { event: string; id?: string; data: unknown }

/**
 * Serialises a server-sent event. The data travel as JSON, which escapes line feeds, carriage returns and NUL, so no
 * text can end its field or start another. Throws if the name or id contains such a character.
 */
export function frameEvent({ event, id, data }: StreamEvent): string {
  if (!/^[a-z-]+$/.test(event)) throw new Error(`no name of an event: ${event}`)
  if (id !== undefined && !/^[\d:,]+$/.test(id)) throw new Error(`no id of an event: ${id}`)
  const idLine = id === undefined ? '' : `id: ${id}\n`
  return `event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`
}

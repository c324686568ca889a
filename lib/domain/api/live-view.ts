import type { SealedTimes, Spend } from '../runs/index.ts'
import type { RunSummary } from './run-view.ts'

/**
 * The state of a run as its page shows it while it runs. Until nothing more can arrive, slots whose last attempt was cut
 * short will be tried again: they are not among the sealed ones, and `cancelled` is 0.
 */
export type RunState = Pick<
  RunSummary,
  | 'status'
  | 'reason'
  | 'planned'
  | 'sealed'
  | 'solved'
  | 'voids'
  | 'voidAttempts'
  | 'cancelled'
  | 'startedAt'
  | 'endedAt'
> & {
  spend: Spend
  /** Null = not known, or nothing is left. */
  left: (TimeLeft & { hands: number }) | null
}

/** Whose line it is: the runner's, or an attempt's as `task r1`. */
type LogSource = string

/** A line of a live log; `open` = it continues in the next line of the same source. */
export type LiveLine = { source: LogSource; text: string; open?: boolean }

/** The current end of a run's log, and the cursor from which a stream continues. */
export type RunLogTail = { lines: LiveLine[]; cursor: string; eventsFrom: number; cut: boolean }

/** How long the rest of a run may take, and the number of sealed attempts that this rests on. */
type TimeLeft = { lowMs: number; highMs: number; from: number }

/** Fewer say nothing about how much durations differ. */
const FEWEST = 3
const Z_95 = 1.96

/**
 * The time that `remaining` episodes take `hands` at a time, if they last as those that are sealed: a 95 % range for
 * their sum, which counts both that they differ and that their mean is known from few. Null = not known.
 */
export function estimateLeft(
  { count, sumMs, sumSquaresMs }: SealedTimes,
  { remaining, hands }: { remaining: number; hands: number },
): TimeLeft | null {
  if (count < FEWEST || remaining <= 0 || hands <= 0) return null
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
 * How far a reader has read the logs of a run, in bytes: the runner's log, and the log of each attempt under way. An
 * attempt is named by the byte at which the runner's log says that it started.
 */
export type LogCursor = { runner: number; attempts: ReadonlyMap<number, number> }

/** No run works on more at the same time. */
const MAX_ATTEMPTS = 256
const CURSOR = new RegExp(`^\\d{1,15}(,\\d{1,15}:\\d{1,15}){0,${MAX_ATTEMPTS}}$`)

/** `5310`, or with attempts `5310,4820:1033,5011:0`. */
export function formatCursor({ runner, attempts }: LogCursor): string {
  return [runner, ...[...attempts].map(([start, offset]) => `${start}:${offset}`)].join(',')
}

/** Null for what no stream of ours has said. */
export function parseCursor(text: string): LogCursor | null {
  if (!CURSOR.test(text)) return null
  const [runner, ...attempts] = text.split(',')
  return {
    runner: Number(runner),
    attempts: new Map(attempts.map((one) => one.split(':').map(Number) as [number, number])),
  }
}

/** One event of a stream; without an `id`, a reader that reconnects does not continue behind it. */
export type StreamEvent = { event: string; id?: string; data: unknown }

/**
 * A server-sent event as text. The data travel as JSON, in which line feeds, carriage returns and NUL are escaped: no
 * text in them can end the field or begin another. Throws when a name or an id could.
 */
export function frameEvent({ event, id, data }: StreamEvent): string {
  if (!/^[a-z-]+$/.test(event)) throw new Error(`no name of an event: ${event}`)
  if (id !== undefined && !/^[\d:,]+$/.test(id)) throw new Error(`no id of an event: ${id}`)
  const idLine = id === undefined ? '' : `id: ${id}\n`
  return `event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`
}

import { useCallback, useEffect, useState } from 'react'
import type { LogRange } from '#lib/domain/views/episode-view.ts'
import { appendRange, type LogLines, NO_LINES, parseRange } from './log-lines.ts'

const RANGE_BYTES = 262_144
/** A page may hold this much of a log; the rest stays on the server. */
const MOST_BYTES = 48e6
const MOST_LINES = 1_000_000

type Source = { episodeId: string; role: string; first: LogRange | null }

export type LogReader = LogLines & {
  state: 'reading' | 'ready' | 'failed' | 'full'
  /** Reads on until so many lines are here. */
  want: (lines: number) => void
  retry: () => void
}

/** Reads a log range by range, only as far as someone wants to see. */
export function useLog({ episodeId, role, first }: Source): LogReader {
  const [log, setLog] = useState<LogLines>(() => (first ? appendRange(NO_LINES, first) : NO_LINES))
  const [wanted, setWanted] = useState(1)
  const [failed, setFailed] = useState(false)

  const full = (log.nextOffset ?? 0) >= MOST_BYTES || log.lines.length >= MOST_LINES
  const reading = !failed && !full && log.nextOffset !== null && log.lines.length < wanted

  useEffect(() => {
    if (!reading || log.nextOffset === null) return
    const stop = new AbortController()
    fetchRange(episodeId, role, log.nextOffset, stop.signal)
      .then((range) => setLog(appendRange(log, range)))
      .catch(() => stop.signal.aborted || setFailed(true))
    return () => stop.abort()
  }, [reading, log, episodeId, role])

  const want = useCallback((lines: number) => setWanted((before) => Math.max(before, lines)), [])
  const retry = useCallback(() => setFailed(false), [])
  const state = failed
    ? 'failed'
    : reading
      ? 'reading'
      : full && log.nextOffset !== null
        ? 'full'
        : 'ready'
  return { ...log, state, want, retry }
}

async function fetchRange(
  episodeId: string,
  role: string,
  offset: number,
  signal: AbortSignal,
): Promise<LogRange> {
  const query = new URLSearchParams({ role, offset: String(offset), length: String(RANGE_BYTES) })
  const answer = await fetch(`/api/v1/episodes/${episodeId}/logs?${query}`, { signal })
  if (!answer.ok) throw new Error(`The log route answered ${answer.status}`)
  const range = parseRange(await answer.json())
  // A range that leads nowhere would be asked for again without end.
  if (!range || (range.nextOffset !== null && range.nextOffset <= offset))
    throw new Error('Not a range')
  return range
}

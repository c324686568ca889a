import { useCallback, useEffect, useRef, useState } from 'react'
import type { LiveLine, RunLogTail } from '#lib/domain/api/index.ts'
import { addLines, type LiveLines, NO_LIVE_LINES } from '../ui/log-lines.ts'
import { type Connection, type ReceivedEvent, useEventStream } from '../ui/use-event-stream.ts'

const EVENTS = ['lines', 'reset', 'end'] as const
/** Lines that arrive within this time are drawn together. */
const DRAW_MS = 50
const RESTARTED: LiveLine = { source: 'runner', text: '(log restarted)' }

/** Extends the page's snapshot of a run's log with new lines; stops while `paused` and catches up afterwards. */
export function useRunLog(
  runId: string,
  tail: RunLogTail,
  { wanted, paused }: { wanted: boolean; paused: boolean },
): { log: LiveLines; connection: Connection } {
  const [log, setLog] = useState(() => addLines(NO_LIVE_LINES, tail.lines))
  const waiting = useRef<LiveLine[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const onEvents = useCallback(({ event, data }: ReceivedEvent) => {
    if (event === 'reset') waiting.current.push(RESTARTED)
    if (event === 'lines') waiting.current.push(...(data as { lines: LiveLine[] }).lines)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const came = waiting.current.splice(0)
      setLog((before) => addLines(before, came))
    }, DRAW_MS)
  }, [])
  const connection = useEventStream({
    url: wanted && !paused ? `/api/v1/runs/${runId}/log/stream` : null,
    from: tail.cursor,
    events: EVENTS,
    onEvents,
  })
  return { log, connection }
}

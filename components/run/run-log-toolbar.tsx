import { ArrowDownToLine, ChevronDown, ChevronUp, Pause, Play } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { LiveLine, RunLogTail } from '#lib/domain/api/live-view.ts'
import { Button } from '../ui/button.tsx'
import { formatCount } from '../ui/format.ts'
import { addLines, type LiveLines, NO_LIVE_LINES } from '../ui/log-lines.ts'
import { type Connection, type Received, useEventStream } from '../ui/use-event-stream.ts'

type RunLogToolbarProps = {
  find: string
  hit: number
  hits: number
  follow: boolean
  paused: boolean
  live: boolean
  onFind: (text: string) => void
  onStep: (by: number) => void
  onFollow: (follow: boolean) => void
  onPause: (paused: boolean) => void
}

/** Search, pause and follow controls of a live log. */
export function RunLogToolbar(props: RunLogToolbarProps) {
  const { find, hit, hits, follow, paused, live, onFind, onStep, onFollow, onPause } = props
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b bg-sunken p-2">
      <label className="min-w-0 flex-1 basis-40 sm:max-w-64">
        <span className="sr-only">Search this log</span>
        <input
          className="h-8 w-full rounded border border-line-strong bg-surface px-2"
          data-search
          onChange={(event) => onFind(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
          }}
          placeholder="Search  ( / )"
          type="search"
          value={find}
        />
      </label>
      {find === '' ? null : (
        <>
          <span aria-live="polite" className="text-muted">
            {hits === 0 ? 'no matches' : `${formatCount(hit + 1)} of ${formatCount(hits)} lines`}
          </span>
          <Button aria-label="Previous match" className="w-8 px-0" onClick={() => onStep(-1)}>
            <ChevronUp aria-hidden size={14} />
          </Button>
          <Button aria-label="Next match" className="w-8 px-0" onClick={() => onStep(1)}>
            <ChevronDown aria-hidden size={14} />
          </Button>
        </>
      )}
      <span className="ml-auto flex gap-2">
        {live || paused ? (
          <Button onClick={() => onPause(!paused)}>
            {paused ? <Play aria-hidden size={14} /> : <Pause aria-hidden size={14} />}
            {paused ? 'Resume' : 'Pause'}
          </Button>
        ) : null}
        <Button
          aria-pressed={follow}
          className="aria-pressed:border-accent aria-pressed:bg-accent-soft"
          onClick={() => onFollow(!follow)}
        >
          <ArrowDownToLine aria-hidden size={14} />
          Follow
        </Button>
      </span>
    </div>
  )
}

const EVENTS = ['lines', 'reset', 'end'] as const
/** Lines that arrive within this time are drawn together. */
const DRAW_MS = 50
const ANEW: LiveLine = { source: 'runner', text: '(log restarted)' }

/** Follows a run's log from the page's snapshot on; stops while `paused` and catches up afterwards. */
export function useRunLog(
  runId: string,
  tail: RunLogTail,
  { wanted, paused }: { wanted: boolean; paused: boolean },
): { log: LiveLines; connection: Connection } {
  const [log, setLog] = useState(() => addLines(NO_LIVE_LINES, tail.lines))
  const waiting = useRef<LiveLine[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const onEvents = useCallback(({ event, data }: Received) => {
    if (event === 'reset') waiting.current.push(ANEW)
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

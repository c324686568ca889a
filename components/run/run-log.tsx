'use client'

import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { LiveLine, RunLogTail } from '#lib/domain/api/index.ts'
import { countOf, findLines } from '#lib/domain/text/index.ts'
import { Button } from '../ui/button.tsx'
import { formatCount } from '../ui/format.ts'
import { Pause, Play } from '../ui/icons.tsx'
import { addLines, type LiveLines, NO_LIVE_LINES, type VisibleLine } from '../ui/log-lines.ts'
import { formatHits, LogRow, LogView } from '../ui/log-view.tsx'
import { type Connection, type ReceivedEvent, useEventStream } from '../ui/use-event-stream.ts'
import type { LineTarget } from '../ui/virtual-lines.tsx'
import { useLiveRun } from './live-run.tsx'
import { isActive } from './run-status.tsx'

type RunLogProps = { runId: string; tail: RunLogTail }

/** Live log of the runner and the agents, with follow, pause and search. */
export function RunLog({ runId, tail }: RunLogProps) {
  const live = isActive(useLiveRun().state)
  const [streams, setStreams] = useState(live)
  const [paused, setPaused] = useState(false)
  const [follow, setFollow] = useState(live)
  const [typed, setTyped] = useState('')
  const [hit, setHit] = useState(0)
  const { log, connection } = useRunLog(runId, tail, { wanted: streams, paused })
  // The stream still sends the last lines when the run has ended; a resumed run is followed again.
  if (live && !streams) setStreams(true)
  if (!live && streams && connection === 'ended') setStreams(false)
  const find = useDeferredValue(typed)
  const { lines } = log
  const hits = useMemo(
    () =>
      findLines(
        lines.map(({ text }) => text),
        find,
      ),
    [lines, find],
  )
  const found = find === '' ? undefined : hits[Math.min(hit, hits.length - 1)]
  const target = useMemo<LineTarget>(() => {
    if (follow) return { index: lines.length - 1, align: 'end' }
    return found === undefined ? null : { index: found, align: 'center' }
  }, [follow, found, lines.length])
  const renderLine = useCallback(
    (index: number) => <LogLine find={find} line={lines[index]} selected={index === found} />,
    [lines, find, found],
  )
  return (
    <LogView
      count={lines.length}
      follow={follow}
      label="Run log"
      onFollow={setFollow}
      renderLine={renderLine}
      search={{
        label: 'Search this log',
        find: typed,
        found: formatHits(Math.min(hit, hits.length - 1), hits.length),
        onFind: (text) => {
          setTyped(text)
          setHit(0)
          if (text) setFollow(false)
        },
        onStep: (by) => {
          setFollow(false)
          setHit((at) => (hits.length === 0 ? 0 : (at + by + hits.length) % hits.length))
        },
      }}
      status={
        <RunLogStatus
          isCut={tail.cut}
          isOffline={live && connection === 'broken'}
          log={log}
          paused={paused}
        />
      }
      target={target}
      tools={live || paused ? <PauseButton onPause={setPaused} paused={paused} /> : null}
    />
  )
}

type PauseButtonProps = { paused: boolean; onPause: (paused: boolean) => void }

function PauseButton({ paused, onPause }: PauseButtonProps) {
  return (
    <Button onClick={() => onPause(!paused)}>
      {paused ? <Play aria-hidden size={14} /> : <Pause aria-hidden size={14} />}
      {paused ? 'Resume' : 'Pause'}
    </Button>
  )
}

type RunLogStatusProps = { log: LiveLines; isCut: boolean; isOffline: boolean; paused: boolean }

function RunLogStatus({ log, isCut, isOffline, paused }: RunLogStatusProps) {
  return (
    <>
      <span>{countOf(log.lines.length, 'line')}</span>
      {isCut || log.dropped > 0 ? (
        <span>
          Older lines are not shown
          {log.dropped > 0 ? ` (${formatCount(log.dropped)} since the page was opened)` : ''}. Each
          episode has a complete log.
        </span>
      ) : null}
      {isOffline ? <span>Disconnected. Reconnecting…</span> : null}
      {paused ? <span>Paused. Resume to load the missed lines.</span> : null}
    </>
  )
}

type LogLineProps = { line: VisibleLine | undefined; find: string; selected: boolean }

function LogLine({ line, find, selected }: LogLineProps) {
  if (!line) return null
  const { source, text, rest } = line
  return (
    <LogRow
      find={find}
      prefix={
        <span
          className="untrusted w-24 shrink-0 truncate pr-3 pl-3 text-muted sm:w-44"
          title={source}
        >
          {source}
        </span>
      }
      rest={rest > 0 ? `… ${countOf(rest, 'more character')}` : null}
      selected={selected}
      text={text}
    />
  )
}

const EVENTS = ['lines', 'reset', 'end'] as const
/** Lines that arrive within this time are drawn together. */
const DRAW_MS = 50
const RESTARTED: LiveLine = { source: 'runner', text: '(log restarted)' }

/** Extends the page's snapshot of a run's log with new lines; stops while `paused` and catches up afterwards. */
function useRunLog(
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

'use client'

import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import type { EpisodeCell, RunningAttempt, RunState } from '#lib/domain/api/index.ts'
import type { Spend } from '#lib/domain/runs/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatCount, formatDollars, formatDuration, UNKNOWN, visibleText } from '../ui/format.ts'
import { ProgressBar } from '../ui/layout.tsx'
import { LiveRefresh, ReloadHint } from '../ui/live-refresh.tsx'
import { type Connection, type ReceivedEvent, useEventStream } from '../ui/use-event-stream.ts'
import { EpisodesMatrix, type MatrixPlan } from './episodes-matrix.tsx'
import { FailureSummary } from './failure-summary.tsx'
import { readSealedCell } from './outcome.tsx'
import {
  isActive,
  progressText,
  RUN_STATUS_LABELS,
  RunCounters,
  RunStatusMark,
  restOf,
} from './run-status.tsx'

type Live = {
  state: RunState
  episodes: readonly EpisodeCell[]
  running: readonly RunningAttempt[]
  connection: Connection
}

const LiveContext = createContext<Live | null>(null)
const EVENTS = ['state', 'run-started', 'attempt-started', 'episode-sealed', 'end'] as const

type LiveRunProps = {
  runId: string
  /** The state when the page was rendered. */
  state: RunState
  episodes: readonly EpisodeCell[]
  running: readonly RunningAttempt[]
  /** Byte offset of the runner's log that the page already includes; null = the run has ended. */
  from: number | null
  /** True = the runner is on another machine, so the event stream contains only the state. */
  isElsewhere?: boolean
  children: ReactNode
}

/**
 * Keeps the parts of a run's page that call `useLiveRun` up to date by its event stream; without a stream the whole
 * page is refreshed at intervals.
 */
export function LiveRunFeed({
  runId,
  state,
  episodes,
  running,
  from,
  isElsewhere = false,
  children,
}: LiveRunProps) {
  const [update, setUpdate] = useState<{ since: RunState; state: RunState } | null>(null)
  const [came, setCame] = useState<readonly EpisodeCell[]>([])
  const [started, setStarted] = useState(running)
  const onEvents = useCallback(
    ({ event, data }: ReceivedEvent) => {
      if (event === 'state') setUpdate({ since: state, state: data as RunState })
      if (event === 'run-started') setStarted([])
      if (event === 'attempt-started') setStarted((before) => [...before, data as RunningAttempt])
      const cell = event === 'episode-sealed' ? readSealedCell(data) : null
      if (!cell) return
      setCame((before) => [...before, cell])
      setStarted((before) => before.filter((attempt) => !isOfSlot(attempt, cell)))
    },
    [state],
  )
  const connection = useEventStream({
    url: from === null ? null : `/api/v1/runs/${runId}/events`,
    from: String(from ?? 0),
    events: EVENTS,
    onEvents,
  })
  const live = useMemo(() => {
    const known = new Set(episodes.map(({ episodeId }) => episodeId))
    const fresh = came.filter(({ episodeId }) => !known.has(episodeId))
    return {
      // A page that was rendered again is newer than previous events.
      state: update?.since === state ? update.state : state,
      episodes: [...episodes, ...fresh],
      running: started,
      connection,
    }
  }, [state, update, episodes, came, started, connection])
  const isBehind = isElsewhere && live.state.sealed !== state.sealed
  const asks = from !== null && (connection === 'broken' || connection === 'ended' || isBehind)
  return (
    <LiveContext value={live}>
      <LiveRefresh active={asks} />
      {isActive(state) ? <ReloadHint /> : null}
      {children}
    </LiveContext>
  )
}

function isOfSlot(attempt: RunningAttempt, { taskId, repetition }: EpisodeCell): boolean {
  return attempt.taskId === taskId && attempt.repetition === repetition
}

/** The current state of the run. */
export function useLiveRun(): Live {
  const live = useContext(LiveContext)
  if (!live) throw new Error('useLiveRun is called outside of LiveRunFeed')
  return live
}

const CONNECTION_WORDS: Partial<Record<Connection, string>> = {
  live: 'live',
  broken: 'no live connection; refreshing every 2 seconds',
  rests: 'paused while the tab is hidden',
}

/** Status, progress, cost and estimated time left of a run, and why it stopped. */
export function RunProgress() {
  const { state, connection } = useLiveRun()
  const words = isActive(state) ? CONNECTION_WORDS[connection] : undefined
  return (
    <div className="rounded border border-line bg-surface px-4 py-3">
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <RunStatusMark status={state.status} />
        <span>{progressText(state)}</span>
        <span className="untrusted text-muted">
          {state.reason ? visibleText(state.reason) : RUN_STATUS_LABELS[state.status].meaning}
        </span>
        {words ? <span className="ml-auto text-muted text-xs">{words}</span> : null}
      </div>
      <ProgressBar
        done={state.sealed - state.cancelled}
        label="Finished episodes"
        total={state.owed}
      />
      <RunCounters state={state} />
      <dl className="mt-2 flex flex-wrap gap-x-8 gap-y-1">
        {isActive(state) ? <Fact name="Time left" {...timeLeft(state)} /> : null}
        <Fact
          name={isActive(state) ? 'Cost so far' : 'Cost'}
          {...spent(state.spend, state.sealed)}
        />
      </dl>
    </div>
  )
}

function Fact({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2">
      <dt className="text-muted">{name}</dt>
      <dd>
        {value} <span className="text-muted text-xs">{note}</span>
      </dd>
    </div>
  )
}

/** The episodes of an active run; only cells that arrive after the page was opened are animated. */
export function LiveMatrix({ plan }: { plan: MatrixPlan }) {
  const { state, episodes, running } = useLiveRun()
  const [stood] = useState(() => new Set(episodes.map(({ episodeId }) => episodeId)))
  return (
    <EpisodesMatrix
      episodes={episodes}
      plan={plan}
      rest={restOf(state)}
      running={isActive(state) ? running : []}
      stood={stood}
    />
  )
}

/** The failures of an active run so far. */
export function LiveFailures({ plan }: { plan: MatrixPlan }) {
  return <FailureSummary episodes={useLiveRun().episodes} plan={plan} />
}

/** Remaining time of an active run, and the basis of the estimate. */
function timeLeft({ left, status }: RunState): { value: string; note: string } {
  if (!left) {
    const note = status === 'queued' ? 'not started yet' : 'available after 3 finished episodes'
    return { value: UNKNOWN, note }
  }
  const [low, high] = [formatDuration(left.lowMs), formatDuration(left.highMs)]
  return {
    value: low === high ? low : `${low} to ${high}`,
    note: `95\u00a0% range from ${countOf(left.from, 'finished attempt')}, concurrency ${formatCount(left.hands)}`,
  }
}

/** The cost of the finished attempts of a run. */
function spent({ microUsd, unmetered }: Spend, sealed: number): { value: string; note: string } {
  if (microUsd === null) return { value: UNKNOWN, note: sealed > 0 ? 'not metered' : '' }
  const note = unmetered > 0 ? `excludes ${countOf(unmetered, 'unmetered attempt')}` : ''
  return { value: `${unmetered > 0 ? 'at least ' : ''}${formatDollars(microUsd)}`, note }
}

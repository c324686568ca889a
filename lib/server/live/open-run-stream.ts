import { parseCursor, type StreamEvent } from '../../domain/api/index.ts'
import { AppError } from '../../errors.ts'
import { followFile, noteVersions, untilChanged } from '../runs/follow-file.ts'
import type { FollowedLine } from '../runs/followed-file.ts'
import { type RunStateReader, watchRunState } from './run-state.ts'
import { readRunEvent, readRunTail, runFolder, runnerLogPath } from './run-tail.ts'
import { streamRunLog } from './stream-run-log.ts'

/** `from`: id of the reader's last event; null = it is new. */
type Options = { runId: string; from: string | null; signal: AbortSignal }
type Events = AsyncGenerator<StreamEvent[]>

/** Streams the events of a run, from a byte of the runner's log; a new reader gets all of them. */
export async function openRunEvents({ runId, from, signal }: Options): Promise<Events> {
  if (from !== null && !/^\d{1,15}$/.test(from)) throw badPlace(from)
  const state = await watch(runId)
  return streamRunEvents({ folder: runFolder(runId), from: Number(from ?? 0), state, signal })
}

/** Streams the log of a run from a cursor; a new reader begins with the last lines of the running attempts. */
export async function openRunLog({ runId, from, signal }: Options): Promise<Events> {
  const cursor = parseCursor(from ?? (await readRunTail(runId))?.cursor ?? '0')
  if (cursor === null) throw badPlace(from)
  const folder = runFolder(runId)
  if (folder === null) throw new AppError('not-found', `no log of run ${runId} is stored here`)
  return streamRunLog({ folder, cursor, state: await watch(runId), signal })
}

async function watch(runId: string): Promise<RunStateReader> {
  const state = await watchRunState(runId)
  if (!state) throw new AppError('not-found', `no run ${runId} is stored here`)
  return state
}

function badPlace(from: string | null): AppError {
  return new AppError(
    'invalid-request',
    `${JSON.stringify(from?.slice(0, 60))} is not a position in this stream: give the id of one of its events, or none`,
  )
}

type StreamRequest = {
  folder: string | null
  from: number
  state: RunStateReader
  signal: AbortSignal
}

/**
 * Yields a runner's events from a byte of its log, each with the byte behind it as its id, and the run's state whenever
 * it changes; ends with `end` once the run has ended. Closes `state`.
 */
async function* streamRunEvents({
  folder,
  from,
  state,
  signal,
}: StreamRequest): AsyncGenerator<StreamEvent[]> {
  const runner = followFile(folder === null ? '' : runnerLogPath(folder), from)
  const watched = [runner, state]
  const changes = listChangesOf(state)
  try {
    while (!signal.aborted) {
      const hasChanged = noteVersions(watched)
      const isOver = state.isOver()
      if (isOver) await runner.look()
      const lines = await runner.next()
      const events = [...changes(), ...toEvents(lines)]
      if (events.length > 0) yield events
      if (lines.length > 0) continue
      if (isOver) return yield [{ event: 'end', data: { status: state.current().status } }]
      await untilChanged(watched, hasChanged, signal)
    }
  } finally {
    runner.close()
    state.close()
  }
}

/** Returns a function that yields the state as an event after each change. */
function listChangesOf(state: RunStateReader): () => StreamEvent[] {
  let sent = -1
  return () => {
    if (sent === state.version()) return []
    sent = state.version()
    return [{ event: 'state', data: state.current() }]
  }
}

function toEvents(lines: readonly FollowedLine[] | 'reset'): StreamEvent[] {
  if (lines === 'reset') return [{ event: 'reset', id: '0', data: {} }]
  return lines.flatMap(({ text, end }) => {
    const event = readRunEvent(text)
    return event ? [{ event: event.event, id: String(end), data: event }] : []
  })
}

import {
  formatCursor,
  type LiveLine,
  type LogCursor,
  type StreamEvent,
} from '../../domain/api/index.ts'
import { formatRunEvent, type RunEvent } from '../../domain/record/index.ts'
import { openFile } from '../evidence/byte-reader.ts'
import { type FileReader, followFile, noteVersions, untilChanged } from '../runs/follow-file.ts'
import type { FollowedLine } from '../runs/followed-file.ts'
import { readRange } from '../runs/read-log.ts'
import type { RunStateReader } from './run-state.ts'
import { readRunEvent, runnerLogPath, subjectLogPath } from './run-tail.ts'

type LogRequest = { folder: string; cursor: LogCursor; state: RunStateReader; signal: AbortSignal }
type Attempt = { source: string; reader: FileReader }

/**
 * Streams the lines of a run's runner and running subjects, from a cursor. Each event's id is the cursor behind it, so
 * that a reader who reconnects misses no line and gets none twice. Ends with `end`; closes `state`.
 */
export async function* streamRunLog(request: LogRequest): AsyncGenerator<StreamEvent[]> {
  const { state, signal } = request
  const log = new RunLog(request)
  try {
    await log.open(request.cursor)
    while (!signal.aborted) {
      const watched = [...log.readers(), state]
      const hasChanged = noteVersions(watched)
      const isOver = state.isOver()
      if (isOver) await log.look()
      let isQuiet = true
      for await (const events of log.advance()) {
        isQuiet = false
        yield events
      }
      if (!isQuiet) continue
      if (isOver) {
        yield* log.finish()
        return yield [{ event: 'end', data: { status: state.current().status } }]
      }
      await untilChanged(watched, hasChanged, signal)
    }
  } finally {
    log.close()
    state.close()
  }
}

const MAX_EVENT_BYTES = 16_384

class RunLog {
  readonly #folder: string
  readonly #runner: FileReader
  /** Keyed by the byte of the runner's log at which they started. */
  readonly #attempts = new Map<number, Attempt>()
  /** Position behind the last line of the runner that was sent. */
  #sent: number

  constructor({ folder, cursor }: LogRequest) {
    this.#folder = folder
    this.#sent = cursor.runner
    this.#runner = followFile(runnerLogPath(folder), cursor.runner)
  }

  async open({ attempts }: LogCursor): Promise<void> {
    for (const [start, offset] of attempts) {
      const found = await findAttempt(this.#folder, start)
      if (found && start < this.#sent) this.#begin(start, found, offset)
    }
  }

  readers(): FileReader[] {
    return [this.#runner, ...[...this.#attempts.values()].map(({ reader }) => reader)]
  }

  async look(): Promise<void> {
    await Promise.all(this.readers().map((reader) => reader.look()))
  }

  /** Reads a part of each subject's log, then a part of the runner's. */
  async *advance(): AsyncGenerator<StreamEvent[]> {
    for (const attempt of this.#attempts.values()) {
      const events = await this.#readAttempt(attempt, false)
      if (events.length > 0) yield events
    }
    const lines = await this.#runner.next()
    if (lines === 'reset') {
      this.#sent = 0
      for (const start of [...this.#attempts.keys()]) this.#end(start)
      yield [{ event: 'reset', id: '0', data: {} }]
    } else yield* this.#tellRunner(lines)
  }

  /** Yields what subjects wrote last, without waiting for line ends; of one attempt, or of all. */
  async *finish(source: string | null = null): AsyncGenerator<StreamEvent[]> {
    for (const [start, attempt] of [...this.#attempts]) {
      if (source !== null && attempt.source !== source) continue
      await attempt.reader.look()
      let events = await this.#readAttempt(attempt, true)
      for (; events.length > 0; events = await this.#readAttempt(attempt, true)) yield events
      this.#end(start)
    }
  }

  close(): void {
    this.#runner.close()
    for (const start of [...this.#attempts.keys()]) this.#end(start)
  }

  async *#tellRunner(lines: readonly FollowedLine[]): AsyncGenerator<StreamEvent[]> {
    const batch: LiveLine[] = []
    for (const line of lines) {
      const event = readRunEvent(line.text)
      if (event && endsAttempts(event)) {
        yield* this.#tell(batch.splice(0))
        yield* this.finish(event.event === 'episode-sealed' ? nameOf(event) : null)
      }
      batch.push(toLiveLine('runner', event ? { text: formatRunEvent(event), open: false } : line))
      this.#sent = line.end
      if (event?.event === 'attempt-started') this.#begin(line.start, event, 0)
    }
    yield* this.#tell(batch)
  }

  *#tell(lines: LiveLine[]): Generator<StreamEvent[]> {
    if (lines.length > 0) yield [this.#event(lines)]
  }

  async #readAttempt({ source, reader }: Attempt, final: boolean): Promise<StreamEvent[]> {
    const lines = await reader.next(final)
    if (lines === 'reset') return [this.#event([{ source, text: '(the log starts again)' }])]
    if (lines.length === 0) return []
    return [this.#event(lines.map((line) => toLiveLine(source, line)))]
  }

  #begin(start: number, found: AttemptStart, offset: number): void {
    const path = subjectLogPath(this.#folder, found.path)
    if (path === null || this.#attempts.has(start)) return
    this.#attempts.set(start, { source: nameOf(found), reader: followFile(path, offset) })
  }

  #end(start: number): void {
    this.#attempts.get(start)?.reader.close()
    this.#attempts.delete(start)
  }

  #event(lines: LiveLine[]): StreamEvent {
    const attempts = new Map(
      [...this.#attempts].map(([start, { reader }]) => [start, reader.offset]),
    )
    return { event: 'lines', id: formatCursor({ runner: this.#sent, attempts }), data: { lines } }
  }
}

/**
 * Returns whether an event ends the running attempts: a sealed attempt is over, and a restarted runner does not
 * continue earlier ones.
 */
function endsAttempts({ event }: RunEvent): boolean {
  return event === 'episode-sealed' || event === 'run-started'
}

function toLiveLine(source: string, { text, open }: Pick<FollowedLine, 'text' | 'open'>): LiveLine {
  return { source, text, ...(open && { open }) }
}

/** Formats `task r1`, and `task r1 attempt 2` for a retry. */
function nameOf({ taskId, repetition, attempt }: Omit<AttemptStart, 'path'>): string {
  return `${taskId} r${repetition}${attempt > 1 ? ` attempt ${attempt}` : ''}`
}

type AttemptStart = Pick<
  Extract<RunEvent, { event: 'attempt-started' }>,
  'taskId' | 'repetition' | 'attempt' | 'path'
>

/** Returns the attempt whose start the runner's log records at a byte; null when no such line begins there. */
async function findAttempt(folder: string, start: number): Promise<AttemptStart | null> {
  const range = await readRange(await openFile(runnerLogPath(folder)), start, MAX_EVENT_BYTES)
  const event = readRunEvent(range?.text.split('\n', 1)[0] ?? '')
  return event?.event === 'attempt-started' ? event : null
}

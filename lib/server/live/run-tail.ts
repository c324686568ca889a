import { join } from 'node:path'
import { parseJson } from '#lib/domain/text/index.ts'
import { formatCursor, type RunLogTail, type RunningAttempt } from '../../domain/api/index.ts'
import {
  formatRunEvent,
  isRunId,
  type RunEvent,
  relativePathSchema,
  runEventSchema,
} from '../../domain/record/index.ts'
import { env } from '../../env.ts'
import { openFile, openPlain } from '../evidence/byte-reader.ts'
import { readRange } from '../runs/read-log.ts'

/** Bytes at the end of a log that the page shows first. */
const SHOWN_BYTES = 32 * 1024
/** Bytes at the end of the log that are searched for running attempts, which never started earlier. */
const SEARCHED_BYTES = 256 * 1024
const SUBJECT_BYTES = 16 * 1024

type Line = { start: number; end: number; text: string }

/**
 * Returns the last lines of a run's log, and the cursor from which a stream continues; null = this server has no such
 * log.
 */
export async function readRunTail(runId: string): Promise<RunLogTail | null> {
  const folder = runFolder(runId)
  const path = folder && runnerLogPath(folder)
  const size = path === null ? null : await sizeOf(path)
  if (folder === null || path === null || size === null) return null
  const lines = await wholeLines(path, size)
  const end = lines.at(-1)?.end ?? Math.max(0, size - SEARCHED_BYTES)
  const shown = lines.filter(({ start }) => start >= end - SHOWN_BYTES)
  const open = listOpenAttempts(lines)
  return {
    lines: shown.map(({ text }) => ({ source: 'runner', text: say(text) })),
    running: open.map(({ taskId, repetition, attempt }) => ({ taskId, repetition, attempt })),
    cursor: formatCursor({ runner: end, attempts: await readOffsets(folder, open) }),
    eventsFrom: end,
    cut: (shown[0]?.start ?? 0) > 0,
  }
}

async function wholeLines(path: string, size: number): Promise<Line[]> {
  const from = Math.max(0, size - SEARCHED_BYTES)
  const range = await readRange(await openFile(path), from, SEARCHED_BYTES)
  const bytes = Buffer.from(range?.text ?? '')
  const lines: Line[] = []
  let start = from === 0 ? 0 : bytes.indexOf(10) + 1
  for (let at = bytes.indexOf(10, start); at !== -1; at = bytes.indexOf(10, start)) {
    const offset = (range?.offset ?? 0) + start
    lines.push({
      start: offset,
      end: offset + at + 1 - start,
      text: bytes.toString('utf8', start, at),
    })
    start = at + 1
  }
  return lines
}

type OpenAttempt = RunningAttempt & { start: number; path: string }

function listOpenAttempts(lines: readonly Line[]): OpenAttempt[] {
  const open = new Map<string, OpenAttempt>()
  for (const { start, text } of lines) {
    const event = readRunEvent(text)
    if (event?.event === 'run-started') open.clear()
    if (event?.event === 'attempt-started') open.set(event.path, { ...event, start })
    if (event?.event === 'episode-sealed') open.delete(event.path.replace(/\/[^/]+$/, ''))
  }
  return [...open.values()]
}

async function readOffsets(
  folder: string,
  open: readonly OpenAttempt[],
): Promise<Map<number, number>> {
  const offsets = new Map<number, number>()
  for (const { start, path } of open) {
    const log = subjectLogPath(folder, path)
    if (log !== null) offsets.set(start, await lastLines(log))
  }
  return offsets
}

/** Finds where the last few lines of a log begin. */
async function lastLines(path: string): Promise<number> {
  const size = (await sizeOf(path)) ?? 0
  if (size <= SUBJECT_BYTES) return 0
  const range = await readRange(await openFile(path), size - SUBJECT_BYTES, SUBJECT_BYTES)
  const line = range?.text.indexOf('\n') ?? -1
  if (!range || line === -1) return size - SUBJECT_BYTES
  return range.offset + Buffer.byteLength(range.text.slice(0, line + 1))
}

async function sizeOf(path: string): Promise<number | null> {
  const file = await openPlain(path)
  if (!file) return null
  try {
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

function say(text: string): string {
  const event = readRunEvent(text)
  return event ? formatRunEvent(event) : text
}

/** Parses a line of the runner's log; null = not an event. */
export function readRunEvent(text: string): RunEvent | null {
  if (!text.startsWith('{')) return null
  return runEventSchema.safeParse(parseJson(text)).data ?? null
}

/** Returns the folder of a run on this server; null for an invalid run id. */
export function runFolder(runId: string): string | null {
  return isRunId(runId) ? join(env().runsDir, runId) : null
}

export const runnerLogPath = (folder: string) => join(folder, 'runner.log')

/** Returns the log that an attempt's subject writes while it runs; null for a path outside of the run's folder. */
export function subjectLogPath(folder: string, attemptPath: string): string | null {
  const parsed = relativePathSchema.safeParse(attemptPath)
  return parsed.success ? join(folder, parsed.data, 'subject.log') : null
}

import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { TracedAction } from '#lib/domain/record/index.ts'
import { type HostReport, parseHostLine } from './host-protocol.ts'

const MAX_BYTES = 4 << 20

/** The trace of a library host; `report` is null if it did not reach its end. */
export type LibraryTrace = { actions: TracedAction[]; report: HostReport | null }

/**
 * Reads the trace of a library's process, to which any program may have written: follows no link, reads at most 4 MB,
 * skips invalid lines, stores at most `mostActions`.
 */
export async function readTrace(path: string, mostActions: number): Promise<LibraryTrace> {
  const trace: LibraryTrace = { actions: [], report: null }
  for (const line of (await readHead(path)).split('\n')) {
    const parsed = parseHostLine(line)
    if (parsed === null) continue
    if ('report' in parsed) trace.report = parsed.report
    else if ('action' in parsed && trace.actions.length < mostActions)
      trace.actions.push(parsed.action)
  }
  return trace
}

async function readHead(path: string): Promise<string> {
  try {
    // A FIFO must not block, a link must not be followed.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const file = await open(path, flags)
    try {
      if (!(await file.stat()).isFile()) return ''
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch {
    return ''
  }
}

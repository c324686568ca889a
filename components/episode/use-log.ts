import { useQueryStates } from 'nuqs'
import { type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { LogRange, LogWindow, SearchPartial } from '#lib/domain/api/index.ts'
import { findLines } from '#lib/domain/text/index.ts'
import { formatSize } from '../ui/format.ts'
import {
  addWindow,
  cutLine,
  lineAt,
  missingPages,
  PAGE_LINES,
  parsePart,
  parseWindow,
  startPages,
} from '../ui/log-lines.ts'
import type { LineTarget } from '../ui/virtual-lines.tsx'
import { lineOfHash, logViewParsers } from './log-address.ts'

/** State of the log panel: line, search and following the end; and the scroll target. */
export function useLogPanel(
  log: LogReader,
  { episodeId, role }: { episodeId: string; role: string },
  frame: RefObject<HTMLElement | null>,
) {
  const { total, whole } = log
  const [view, setView] = useQueryStates(logViewParsers, { history: 'replace' })
  const [follow, setFollow] = useState(false)
  const [hit, setHit] = useState(0)
  const [aim, setAim] = useState<'line' | 'hit'>(view.line ? 'line' : 'hit')
  const find = useDeferredValue(view.find)
  const { hits, more } = useLogSearch({ episodeId, role, find, whole })

  useEffect(() => {
    const line = lineOfHash(location.hash)
    if (line) {
      setAim('line')
      void setView({ line })
    }
    if (line || new URLSearchParams(location.search).has('line')) frame.current?.scrollIntoView()
  }, [setView, frame])

  // Selecting a visible line must not scroll the page under the pointer.
  const select = useCallback(
    (line: number) => {
      setAim('hit')
      void setView({ line })
    },
    [setView],
  )
  return {
    find,
    select,
    typed: view.find,
    line: view.line,
    follow,
    setFollow,
    hit,
    hits: hits.length,
    more,
    target: useTarget({
      end: follow ? total - 1 : null,
      hit: aim === 'hit' && find ? (hits[hit] ?? null) : null,
      line: aim === 'line' && view.line && view.line <= total ? view.line - 1 : null,
    }),
    search(text: string) {
      setHit(0)
      setAim('hit')
      void setView({ find: text })
    },
    step(by: number) {
      setFollow(false)
      setAim('hit')
      setHit((at) => (hits.length === 0 ? 0 : (at + by + hits.length) % hits.length))
    },
    goTo(line: number | null) {
      setAim('line')
      void setView({ line })
    },
  }
}

type Wishes = { end: number | null; hit: number | null; line: number | null }

/** Scroll target: the end while following, otherwise the search result, otherwise the linked line. */
function useTarget({ end, hit, line }: Wishes): LineTarget {
  return useMemo(() => {
    if (end !== null) return { index: end, align: 'end' }
    const index = hit ?? line
    return index === null ? null : { index, align: 'center' }
  }, [end, hit, line])
}

/** Dragging the scroll bar passes many pages, so only the page where it stops is loaded. */
const REST_MS = 60
/** The number of lines of a huge log is not known immediately. */
const COUNT_AGAIN_MS = 2000

type Source = { episodeId: string; role: string; first: LogRange }

/** A displayed line, and a note on its omitted part. */
export type RenderedLine = { text: string; rest: string | null }

export type LogReader = ReturnType<typeof useLog>

/** Loads only the visible part of a log. */
export function useLog({ episodeId, role, first }: Source) {
  const [start] = useState(() => startPages(first))
  const [log, setLog] = useState<Omit<typeof start, 'whole'>>(start)
  const [seen, setSeen] = useState({ first: 0, last: 0 })
  const [failed, setFailed] = useState(false)
  const { whole } = start
  const missing = whole ? [] : missingPages(log, seen.first, seen.last)

  useEffect(() => {
    const page = whole ? null : (missingPages(log, seen.first, seen.last)[0] ?? null)
    if (failed || (page === null && log.isExact)) return
    const stop = new AbortController()
    const wait = page === null ? COUNT_AGAIN_MS : REST_MS
    const timer = setTimeout(() => {
      fetchPage({ episodeId, role }, page ?? 0, stop.signal)
        .then((window) => setLog((before) => addWindow(before, window)))
        .catch(() => stop.signal.aborted || setFailed(true))
    }, wait)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [failed, log, seen, whole, episodeId, role])

  const see = useCallback((from: number, to: number) => setSeen({ first: from, last: to }), [])
  const drawn = useCallback(
    (index: number): RenderedLine | null => {
      if (whole) return cutLine(whole[index] ?? '')
      const line = lineAt(log, index)
      if (!line) return null
      const rest = line.restBytes > 0 ? ` … ${formatSize(line.restBytes)} more` : null
      return rest === null ? cutLine(line.text) : { text: cutLine(line.text).text, rest }
    },
    [whole, log],
  )
  return {
    /** All lines, if the log is small enough to be loaded completely. */
    whole,
    /** Number of lines; an estimate until `isExact`. */
    total: log.total,
    isExact: log.isExact,
    sizeBytes: log.sizeBytes,
    state: failed ? 'failed' : missing.length === 0 ? 'ready' : 'reading',
    /** A line by index from 0; null = not loaded. */
    lineAt: drawn,
    /** Reports the visible lines, which are then loaded. */
    see,
    retry: useCallback(() => setFailed(false), []),
  }
}

type LogAddress = { episodeId: string; role: string }

async function fetchPage(
  { episodeId, role }: LogAddress,
  page: number,
  signal: AbortSignal,
): Promise<LogWindow> {
  const query = new URLSearchParams({
    role,
    line: String(page * PAGE_LINES + 1),
    limit: String(PAGE_LINES),
  })
  const response = await fetch(`/api/v1/episodes/${episodeId}/logs/lines?${query}`, { signal })
  if (!response.ok) throw new Error(`The log route answered ${response.status}`)
  const window = parseWindow(await response.json())
  if (window?.first !== page * PAGE_LINES) throw new Error('Not the requested lines')
  return window
}

/** Matching lines by index from 0; `more` = why there may be others. */
export type LogHits = {
  hits: readonly number[]
  more: SearchPartial | 'searching' | 'failed' | null
}

type SearchRequest = {
  episodeId: string
  role: string
  find: string
  whole: readonly string[] | null
}

const LIMIT = 5000
const TYPING_MS = 150
const NONE: LogHits = { hits: [], more: null }

/** Searches a log: in the browser if it is loaded completely, otherwise on the server. */
function useLogSearch({ episodeId, role, find, whole }: SearchRequest): LogHits {
  const [found, setFound] = useState<LogHits & { find: string }>({ ...NONE, find: '' })
  const own = useMemo(() => (whole ? findLines(whole, find) : null), [whole, find])
  const isRequested = whole === null && find !== ''

  useEffect(() => {
    if (!isRequested) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const query = new URLSearchParams({ role, q: find, limit: String(LIMIT) })
      const onHits = (hits: LogHits) => setFound({ ...hits, find })
      searchServer(`/api/v1/episodes/${episodeId}/logs/search?${query}`, onHits, stop.signal).catch(
        () => stop.signal.aborted || setFound({ hits: [], more: 'failed', find }),
      )
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [isRequested, episodeId, role, find])

  return useMemo(() => {
    if (own) return { hits: own, more: null }
    if (!isRequested) return NONE
    return found.find === find ? found : { hits: [], more: 'searching' }
  }, [own, isRequested, found, find])
}

async function searchServer(
  url: string,
  onHits: (hits: LogHits) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, { signal })
  if (!response.ok || !response.body) throw new Error(`The search answered ${response.status}`)
  const hits: number[] = []
  for await (const line of readTextLines(response.body)) {
    const found = parsePart(line)
    if (found && 'partial' in found) return onHits({ hits, more: found.partial })
    hits.push(...(found?.hits ?? []).map((hit) => hit.line - 1))
    onHits({ hits: [...hits], more: 'searching' })
  }
  throw new Error('The search broke off')
}

async function* readTextLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let held = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (held + decoder.decode(part.value, { stream: true })).split('\n')
    held = lines.pop() ?? ''
    yield* lines
  }
}

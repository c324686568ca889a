import { useCallback, useDeferredValue, useEffect, useState } from 'react'
import type { TranscriptView } from '#lib/domain/api/index.ts'
import { linkCalls, type TranscriptStep } from '#lib/domain/transcript/index.ts'
import { PAGE_STEPS, PREVIEW_CHARS } from './transcript-address.ts'

/** Dragging the scroll bar passes many pages, so only the page where it stops is loaded. */
const REST_MS = 60
const TYPING_MS = 150

export type TranscriptReader = ReturnType<typeof useTranscript>

/** Loads only the visible part of a transcript. */
export function useTranscript(episodeId: string, first: TranscriptView) {
  const [steps, setSteps] = useState(() => addSteps(new Map(), first.steps))
  const [seen, setSeen] = useState({ first: 1, last: 1 })
  const [failed, setFailed] = useState(false)
  const { total } = first

  const missing = firstMissing(steps, seen, total)
  useEffect(() => {
    if (failed || missing === null) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const query = { from: missing, limit: PAGE_STEPS, chars: PREVIEW_CHARS }
      fetchSteps(episodeId, query, stop.signal)
        .then((page) => setSteps((before) => addSteps(before, page.steps)))
        .catch(() => stop.signal.aborted || setFailed(true))
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [episodeId, failed, missing])

  const complete = useCallback(
    async (index: number) => {
      const page = await fetchSteps(episodeId, { from: index, limit: 1 })
      setSteps((before) => addSteps(before, page.steps))
    },
    [episodeId],
  )
  return {
    total,
    /** A step by index from 1; null = not loaded. */
    stepAt: useCallback((index: number) => steps.get(index) ?? null, [steps]),
    /** Reports the visible steps, which are then loaded. */
    see: useCallback((from: number, to: number) => setSeen({ first: from, last: to }), []),
    /** Loads the complete texts of a step. */
    complete,
    failed,
    retry: useCallback(() => setFailed(false), []),
  }
}

type Steps = ReadonlyMap<number, TranscriptStep>

function addSteps(before: Steps, steps: readonly TranscriptStep[]): Steps {
  return new Map([...before, ...steps.map((step) => [step.index, step] as const)])
}

function firstMissing(
  steps: Steps,
  seen: { first: number; last: number },
  total: number,
): number | null {
  for (let index = Math.max(1, seen.first); index <= Math.min(seen.last, total); index++)
    if (!steps.has(index)) return index
  return null
}

type Query = { from: number; limit: number; chars?: number; find?: string }

async function fetchSteps(
  episodeId: string,
  query: Query,
  signal?: AbortSignal,
): Promise<TranscriptView> {
  const request = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  )
  const response = await fetch(`/api/v1/episodes/${episodeId}/transcript?${request}`, {
    signal: signal ?? null,
  })
  if (!response.ok) throw new Error(`The transcript route answered ${response.status}`)
  const page: TranscriptView = await response.json()
  if (!Array.isArray(page.steps)) throw new Error('Not the requested steps')
  return page
}

/** Matching steps. */
export type TranscriptHits = {
  hits: readonly number[]
  state: 'none' | 'searching' | 'done' | 'failed'
}

/** Searches the whole transcript on the server. */
export function useTranscriptSearch(episodeId: string, typed: string): TranscriptHits {
  const find = useDeferredValue(typed)
  const [found, setFound] = useState<TranscriptHits & { find: string }>({
    hits: [],
    state: 'none',
    find: '',
  })
  useEffect(() => {
    if (find === '') return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      fetchSteps(episodeId, { from: 1, limit: 1, chars: 1, find }, stop.signal)
        .then(({ hits }) => setFound({ hits: hits ?? [], state: 'done', find }))
        .catch(() => stop.signal.aborted || setFound({ hits: [], state: 'failed', find }))
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [episodeId, find])
  if (find === '') return { hits: [], state: 'none' }
  return found.find === find ? found : { hits: [], state: 'searching' }
}

/** A result follows its call closely, and some agents reuse call numbers. */
const STEPS_BACK = 50

/** Finds the tool of a step's result by the call before it. */
export function toolOf(step: TranscriptStep, { stepAt }: TranscriptReader): string | null {
  if (step.toolResult === null) return null
  const first = Math.max(1, step.index - STEPS_BACK)
  const before = Array.from({ length: step.index - first }, (_, place) => stepAt(first + place))
  const link = linkCalls([...before.filter((one) => one !== null), step]).get(step)
  return link?.step.toolCalls[link.place]?.name ?? null
}

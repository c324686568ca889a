import type { TranscriptView } from '../../domain/api/index.ts'
import {
  cutStep,
  parseTranscriptLine,
  type TranscriptEnd,
  type TranscriptFindings,
  type TranscriptHead,
  type TranscriptStep,
  wordsOf,
} from '../../domain/transcript/index.ts'
import { AppError } from '../../errors.ts'
import { processWide } from '../../process-wide.ts'
import { findLog } from './read-log.ts'

export type TranscriptQuery = {
  from: number
  limit: number
  /** Characters of each text; absent = all. */
  chars?: number | undefined
  find?: string | undefined
}

/** Maximum bytes read; no runner writes more, and uploads are truncated there. */
const MAX_BYTES = 24 << 20
/** Limit of one response, as stored. */
const MAX_ANSWER_CHARS = 1 << 20
const MAX_HITS = 1000
const MAX_CACHED = 3

/** Lines of a transcript, parsed on demand. */
type Lines = {
  head: TranscriptHead
  end: TranscriptEnd | null
  findings: TranscriptFindings | null
  steps: readonly string[]
}

/** Returns a page of an episode's transcript; null = no such episode, or no transcript is stored. */
export async function readTranscript(
  episodeId: string,
  query: TranscriptQuery,
): Promise<TranscriptView | null> {
  const lines = await openTranscript(episodeId)
  if (lines === null) return null
  const { head, end, findings, steps: stored } = lines
  const { from, limit, chars, find } = query
  const steps: TranscriptStep[] = []
  let place = from - 1
  for (let size = 0; place < stored.length && place < from - 1 + limit; place++) {
    const step = parseStep(stored[place] ?? '', place + 1)
    const shown = chars === undefined ? step : cutStep(step, chars)
    size += wordsOf(shown).length
    if (size > MAX_ANSWER_CHARS && steps.length > 0) break
    steps.push(shown)
  }
  return {
    head,
    end,
    steps,
    ...shownFindings(findings),
    total: stored.length,
    next: place < stored.length ? place + 1 : null,
    hits: find ? searchSteps(stored, find) : null,
  }
}

function shownFindings(
  found: TranscriptFindings | null,
): Pick<TranscriptView, 'findings' | 'behaviour'> {
  const { findings = [], behaviour } = found ?? {}
  return { findings, ...(behaviour && { behaviour }) }
}

/** Returns a whole transcript for an export; null = none is stored. */
export async function readWholeTranscript(
  episodeId: string,
): Promise<{ head: TranscriptHead; end: TranscriptEnd | null; steps: TranscriptStep[] } | null> {
  const lines = await openTranscript(episodeId)
  if (lines === null) return null
  const steps = lines.steps.map((line, place) => parseStep(line, place + 1))
  return { head: lines.head, end: lines.end, steps }
}

/** Parses a step. Evidence is shown, never trusted: an invalid line becomes a step that says so. */
function parseStep(line: string, index: number): TranscriptStep {
  const parsed = parseTranscriptLine(line)
  if (parsed?.kind === 'step') return { ...parsed, index }
  const unknown = { input: null, output: null, cached: null }
  return {
    kind: 'step',
    index,
    atMs: 0,
    call: 1,
    thread: 1,
    mark: null,
    role: 'system',
    text: null,
    reasoning: null,
    toolCalls: [],
    toolResult: null,
    model: null,
    trouble: 'this line of the transcript cannot be read',
    tokens: null,
    costMicroUsd: null,
    soFar: { ...unknown, costMicroUsd: null },
    changes: null,
    cutChars: line.length,
  }
}

/** Searches the raw lines first, as most do not match, then only the texts, without the names of members. */
function searchSteps(lines: readonly string[], find: string): number[] {
  const wanted = find.toLowerCase()
  const raw = JSON.stringify(wanted).slice(1, -1)
  const hits: number[] = []
  for (const [place, line] of lines.entries()) {
    if (!line.toLowerCase().includes(raw)) continue
    const parsed = parseTranscriptLine(line)
    if (parsed?.kind === 'step' && wordsOf(parsed).toLowerCase().includes(wanted))
      hits.push(place + 1)
    if (hits.length >= MAX_HITS) break
  }
  return hits
}

const cached = processWide('transcripts', () => new Map<string, Lines>())

async function openTranscript(episodeId: string): Promise<Lines | null> {
  const open = await findLog(episodeId, 'transcript').catch((error) => {
    if (error instanceof AppError && error.code === 'not-found') return null
    throw error
  })
  const file = open && (await open())
  if (file === null) return null
  try {
    const key = file.version
    const known = cached.get(key)
    if (known) return known
    const bytes = await file.read(Buffer.alloc(Math.min(file.sizeBytes, MAX_BYTES)), 0)
    const lines = splitLines(bytes.toString('utf8'))
    if (lines === null) return null
    cached.set(key, lines)
    for (const old of cached.keys()) {
      if (cached.size <= MAX_CACHED) break
      cached.delete(old)
    }
    return lines
  } finally {
    await file.close()
  }
}

/** Null = it does not begin like a transcript. */
function splitLines(text: string): Lines | null {
  const [first = '', ...rest] = text.split('\n').filter((line) => line !== '')
  const head = parseTranscriptLine(first)
  if (head?.kind !== 'transcript') return null
  // The last two lines are short; of a killed runner they are steps.
  const last = rest.slice(-2).map(parseTranscriptLine)
  const end = last.find((line) => line?.kind === 'end') ?? null
  const findings = last.find((line) => line?.kind === 'findings') ?? null
  const closing = (end ? 1 : 0) + (findings ? 1 : 0)
  return { head, end, findings, steps: rest.slice(0, rest.length - closing) }
}

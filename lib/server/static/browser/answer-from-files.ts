import type { LogWindow, SearchPart, TranscriptView } from '../../../domain/api/index.ts'
import { findLines } from '../../../domain/record/index.ts'
import {
  cutStep,
  parseTranscript,
  type TranscriptStep,
  wordsOf,
} from '../../../domain/transcript/index.ts'

type Ask = (address: string) => Promise<Response | null>

const LOG = /^(\/api\/v1\/episodes\/[^/?]+)\/(logs\/lines|logs\/search|transcript)\?/

/**
 * What the API would answer, from the files of a copy: parts of a log or a transcript, and searches in them, from the
 * stored file; anything else as it was exported. Null = it is not in the copy.
 */
export async function answerFromFiles(address: string, ask: Ask): Promise<Response | null> {
  const [, episode, kind] = LOG.exec(address) ?? []
  if (episode === undefined) return ask(address)
  const query = new URLSearchParams(address.slice(address.indexOf('?')))
  const role = kind === 'transcript' ? 'transcript' : (query.get('role') ?? '')
  const file = await ask(`${episode}/logs/raw?${new URLSearchParams({ role })}`)
  if (!file?.ok) return null
  const text = await file.text()
  if (kind === 'transcript') return readSteps(text, query)
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return kind === 'logs/lines' ? readLines(lines, query, text) : searchLines(lines, query, text)
}

const count = (query: URLSearchParams, name: string, otherwise: number) =>
  Number(query.get(name) ?? otherwise) || otherwise

function readLines(lines: readonly string[], query: URLSearchParams, text: string): Response {
  const first = count(query, 'line', 1) - 1
  const shown = lines.slice(first, first + count(query, 'limit', MAX_LINES))
  const window: LogWindow = {
    first,
    lines: shown.map((line) => ({ text: line, restBytes: 0 })),
    total: lines.length,
    isExact: true,
    sizeBytes: byteLength(text),
  }
  return Response.json(window)
}

const MAX_LINES = 256

function searchLines(lines: readonly string[], query: URLSearchParams, text: string): Response {
  const limit = count(query, 'limit', 1000)
  const found = findLines(lines, query.get('q') ?? '').map((index) => ({
    line: index + 1,
    offset: 0,
  }))
  const scannedBytes = byteLength(text)
  const partial = found.length > limit ? 'limit' : null
  const parts: SearchPart[] = [
    { hits: found.slice(0, limit), scannedBytes },
    { partial, nextLine: null, scannedBytes },
  ]
  return new Response(`${parts.map((part) => JSON.stringify(part)).join('\n')}\n`)
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

function readSteps(text: string, query: URLSearchParams): Response | null {
  const transcript = parseTranscript(text)
  if (transcript === null) return null
  const { head, end, steps, findings } = transcript
  const from = count(query, 'from', 1)
  const limit = count(query, 'limit', 50)
  const chars = query.get('chars')
  const shown = steps.slice(from - 1, from - 1 + limit)
  const find = query.get('find')?.toLowerCase()
  const next = from + limit <= steps.length ? from + limit : null
  const page: TranscriptView = {
    head,
    end,
    total: steps.length,
    next,
    findings: findings?.findings ?? [],
    steps: chars === null ? shown : shown.map((step) => cutStep(step, Number(chars))),
    hits: find ? searchSteps(steps, find) : null,
  }
  return Response.json(page)
}

function searchSteps(steps: readonly TranscriptStep[], wanted: string): number[] {
  return steps
    .filter((step) => wordsOf(step).toLowerCase().includes(wanted))
    .map(({ index }) => index)
}

import { groupBy } from '../../record/index.ts'
import type { TranscriptStep } from '../transcript.ts'
import { type RequestedCall, readTexts } from './asked-calls.ts'
import { listResults } from './call-results.ts'
import type { Scanned, ScannedFile } from './scan-knowledge.ts'
import { runsTestsOnly } from './test-runs.ts'

const LONG_LINE_CHARS = 24
const MAX_MARKS = 200
const MIN_MARKS = 5
const MIN_SHOWN_SHARE = 0.8

export type Shown = { path: string; steps: number[] }

/**
 * Returns the files of which tool results contain most, at once or in pieces. Files that the agent wrote before do not
 * count, and neither does the output of test runs.
 */
export function findShown(
  { steps, calls: toolCalls }: Scanned,
  sources: readonly ScannedFile[],
  given: readonly string[],
): Shown[] {
  const known = new Set(given.flatMap(splitLines))
  const files = sources
    .map(({ path, text }) => new MarkedFile(path, distinctiveLines(text, known)))
    .filter(({ marks }) => marks.size >= MIN_MARKS)
  if (files.length === 0) return []
  const marked = filesByMark(files)
  const calls = groupBy(toolCalls, ({ step }) => `${step.index}`)
  const results = listResults(steps, toolCalls)
  for (const step of steps) {
    const written = (calls.get(`${step.index}`) ?? []).flatMap(({ texts }) => splitLines(texts))
    // Lines that the agent wrote itself do not count.
    for (const line of written) marked.delete(line)
    if (!isTestRun(results.get(step))) follow(step, marked)
  }
  return files
    .filter((file) => file.isShown)
    .map(({ path, steps: at }) => ({ path, steps: [...at] }))
}

function follow(step: TranscriptStep, marked: Map<string, MarkedFile[]>): void {
  for (const line of linesOf(step)) {
    for (const file of marked.get(line) ?? []) file.show(step.index)
    marked.delete(line)
  }
}

function filesByMark(files: readonly MarkedFile[]): Map<string, MarkedFile[]> {
  const marked = new Map<string, MarkedFile[]>()
  for (const file of files)
    for (const mark of file.marks) marked.set(mark, [...(marked.get(mark) ?? []), file])
  return marked
}

function isTestRun(call: RequestedCall | undefined): boolean {
  return call !== undefined && runsTestsOnly(call.asks)
}

/** The distinctive lines of a file, and how many of them were shown. */
class MarkedFile {
  readonly path: string
  readonly marks: ReadonlySet<string>
  readonly steps = new Set<number>()
  #shown = 0

  constructor(path: string, marks: ReadonlySet<string>) {
    this.path = path
    this.marks = marks
  }

  get isShown(): boolean {
    return this.#shown >= Math.max(MIN_MARKS, this.marks.size * MIN_SHOWN_SHARE)
  }

  show(step: number): void {
    this.#shown += 1
    this.steps.add(step)
  }
}

function linesOf({ toolResult }: TranscriptStep): string[] {
  return readTexts(toolResult?.text ?? '').flatMap(([, text]) => splitLines(text))
}

/** Prefixes that tools print before a line: line numbers, diff markers, file names. */
const BEFORE_LINE = /^[\s>|+-]*(?:[\w./-]{1,200}:)?(?:\d{1,6}[\s:|→-]+)?[\s>|+-]*/

function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.slice(0, MAX_LINE_CHARS).replace(BEFORE_LINE, '').trim())
}

const MAX_LINE_CHARS = 1000

/** Long lines that were not given to the subject: a text with most of them is a copy. */
function distinctiveLines(text: string, known: ReadonlySet<string>): Set<string> {
  const long = splitLines(text).filter((line) => line.length >= LONG_LINE_CHARS && !known.has(line))
  return new Set(long.slice(0, MAX_MARKS))
}

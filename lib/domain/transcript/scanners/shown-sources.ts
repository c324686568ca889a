import { groupBy } from '../../record/index.ts'
import type { TranscriptStep } from '../transcript.ts'
import { type Asked, readTexts } from './asked-calls.ts'
import { listResults } from './call-results.ts'
import type { Scanned, Source } from './scan-knowledge.ts'
import { runsTestsOnly } from './test-runs.ts'

const LONG_LINE_CHARS = 24
const MOST_MARKS = 200
const FEWEST_MARKS = 5
const MOST_OF_IT = 0.8

export type Shown = { path: string; steps: number[] }

/**
 * The files of which tool results contain most, at once or in pieces. What the agent wrote before is its own, and what a
 * run of the tests prints of them was not read by anyone.
 */
export function findShown(
  { steps, asked }: Scanned,
  sources: readonly Source[],
  given: readonly string[],
): Shown[] {
  const files = sources
    .map(({ path, text }) => new MarkedFile(path, distinctiveLines(text, given)))
    .filter(({ size }) => size >= FEWEST_MARKS)
  if (files.length === 0) return []
  const calls = groupBy(asked, ({ step }) => `${step.index}`)
  const results = listResults(steps, asked)
  for (const step of steps) {
    const written = (calls.get(`${step.index}`) ?? []).flatMap(({ texts }) => splitLines(texts))
    const shown = isTestRun(results.get(step)) ? [] : linesOf(step)
    for (const file of files) file.follow(step.index, written, shown)
  }
  return files
    .filter((file) => file.isShown)
    .map(({ path, steps: at }) => ({ path, steps: [...at] }))
}

function isTestRun(call: Asked | undefined): boolean {
  return call !== undefined && runsTestsOnly(call.asks)
}

/** The distinctive lines of a file, and which of them were shown. */
class MarkedFile {
  readonly path: string
  readonly size: number
  readonly steps = new Set<number>()
  readonly #open: Set<string>
  #shown = 0

  constructor(path: string, marks: ReadonlySet<string>) {
    this.path = path
    this.#open = new Set(marks)
    this.size = marks.size
  }

  get isShown(): boolean {
    return this.#shown >= Math.max(FEWEST_MARKS, this.size * MOST_OF_IT)
  }

  /** What the agent wrote itself shows it nothing. */
  follow(step: number, written: readonly string[], shown: readonly string[]): void {
    for (const line of written) this.#open.delete(line)
    for (const line of shown) {
      if (!this.#open.delete(line)) continue
      this.#shown += 1
      this.steps.add(step)
    }
  }
}

function linesOf({ toolResult }: TranscriptStep): string[] {
  return readTexts(toolResult?.text ?? '').flatMap(([, text]) => splitLines(text))
}

/** Numbers of lines, marks of a diff and names of files, which tools print before a line. */
const BEFORE_LINE = /^[\s>|+-]*(?:[\w./-]{1,200}:)?(?:\d{1,6}[\s:|→-]+)?[\s>|+-]*/

function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.slice(0, MOST_LINE_CHARS).replace(BEFORE_LINE, '').trim())
}

const MOST_LINE_CHARS = 1000

/** Long lines that no one was given: a text with most of them is a copy. */
function distinctiveLines(text: string, given: readonly string[]): Set<string> {
  const long = text.split('\n').filter((line) => line.trim().length >= LONG_LINE_CHARS)
  const own = long.filter((line) => !given.some((one) => one.includes(line.trim())))
  return new Set(own.slice(0, MOST_MARKS).flatMap(splitLines))
}

import { countOf } from '#lib/domain/text/index.ts'
import { visibleText } from '../ui/format.ts'
import { cutLine } from '../ui/log-lines.ts'
import { ScrollBox } from '../ui/table.tsx'
import { highlightLine, isHighlighted, type LineState, type TokenKind } from './highlight.ts'

const INKS: Record<TokenKind, string> = {
  comment: 'text-muted italic',
  string: 'text-good',
  number: 'text-warn',
  keyword: 'text-accent',
  name: 'font-medium',
}

type CodeLineProps = { text: string; state: LineState }

/** One highlighted line of code; a very long one is truncated, with a note. */
export function CodeLine({ text: whole, state }: CodeLineProps) {
  const { text, rest } = cutLine(whole)
  let place = 0
  const pieces = highlightLine(text, state).tokens.map((token) => {
    place += token.text.length
    return { ...token, place }
  })
  return (
    <>
      <bdi className="pr-4">
        {pieces.map(({ kind, text: piece, place: key }) =>
          kind ? (
            <span className={INKS[kind]} key={key}>
              {visibleText(piece)}
            </span>
          ) : (
            visibleText(piece)
          ),
        )}
      </bdi>
      {rest ? <span className="text-muted">{rest}</span> : null}
    </>
  )
}

/** The state at the start of each line; null for plain code and files without highlighting. */
export function lineStates(path: string, lines: readonly string[]): LineState[] {
  if (!isHighlighted(path)) return lines.map(() => null)
  let state: LineState = null
  return lines.map((line) => {
    const before = state
    state = highlightLine(line, before).state
    return before
  })
}

const MAX_LINES = 2000

type SourceViewProps = { path: string; text: string }

/** One judged file with line numbers. */
export function SourceView({ path, text }: SourceViewProps) {
  const lines = text.replace(/\n$/, '').split('\n')
  const shown = lines.slice(0, MAX_LINES)
  const states = lineStates(path, shown)
  return (
    <CodeFrame label={`Source ${path}`} title={path}>
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
        <div className="flex min-w-full" key={index}>
          <LineNumber number={index + 1} />
          <CodeLine state={states[index] ?? null} text={line} />
        </div>
      ))}
      <LinesLeftOut count={lines.length - shown.length} />
    </CodeFrame>
  )
}

type CodeFrameProps = { title: string; label: string; note?: string; children: React.ReactNode }

/** A file that can be folded. */
export function CodeFrame({ title, label, note, children }: CodeFrameProps) {
  return (
    <details className="mb-3 overflow-hidden rounded border border-line" open>
      <summary className="untrusted flex cursor-pointer flex-wrap gap-x-4 border-line border-b bg-sunken px-3 py-1.5 font-mono text-xs">
        <span className="min-w-0">{visibleText(title)}</span>
        {note ? <span className="font-sans text-muted">{note}</span> : null}
      </summary>
      <ScrollBox
        className="max-h-[40rem] overflow-auto whitespace-pre bg-surface font-mono text-xs leading-5"
        aria-label={label}
      >
        <div className="w-max min-w-full" data-code>
          {children}
        </div>
      </ScrollBox>
    </details>
  )
}

const TONES: Record<DiffLine['sign'], string> = {
  '+': 'bg-good-soft',
  '-': 'bg-bad-soft',
  ' ': '',
  '@': 'bg-sunken text-muted',
  file: 'bg-sunken font-medium',
}

type DiffRowProps = { line: DiffLine; state: LineState }

/** A line of a diff with both line numbers; sign and colour show added or removed. */
export function DiffRow({ line, state }: DiffRowProps) {
  const numbered = line.before !== null || line.after !== null
  return (
    <div className={`flex min-w-full ${TONES[line.sign]}`}>
      <LineNumber number={line.before} />
      <LineNumber number={line.after} />
      <span className="w-4 shrink-0 text-center">{numbered ? line.sign : ''}</span>
      {numbered ? (
        <CodeLine state={state} text={line.text} />
      ) : (
        <bdi className="pr-4">{visibleText(cutLine(line.text).text)}</bdi>
      )}
    </div>
  )
}

export function LineNumber({ number }: { number: number | null }) {
  return (
    <span aria-hidden="true" className="w-11 shrink-0 select-none pr-2 text-right text-muted">
      {number}
    </span>
  )
}

/** Says how many lines are not shown; renders nothing for none. */
export function LinesLeftOut({ count }: { count: number }) {
  if (count <= 0) return null
  return (
    <p className="border-line border-t px-3 py-1.5 font-sans text-muted">
      {countOf(count, 'more line is', 'more lines are')} not shown; the stored file contains all of
      them.
    </p>
  )
}

export type DiffLine = {
  sign: '+' | '-' | ' ' | '@' | 'file'
  text: string
  before: number | null
  after: number | null
}

/** Empty lines, and the separator that some tools print above a file. */
const RULER = /^=*$/

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** Parses a unified diff into lines with their numbers. The hunk's counts distinguish headers from content. */
export function parseDiff(diff: string): DiffLine[] {
  const left = { before: 0, after: 0 }
  const next = { before: 0, after: 0 }
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line) => {
      if (left.before > 0 || left.after > 0) return [contentLine(line, left, next)]
      const hunk = HUNK.exec(line)
      if (hunk) return [openHunk(hunk, left, next)]
      return RULER.test(line) || line.startsWith('\\') ? [] : [unnumbered('file', line)]
    })
}

function openHunk(hunk: RegExpExecArray, left: Pair, next: Pair): DiffLine {
  next.before = Number(hunk[1])
  next.after = Number(hunk[3])
  left.before = Number(hunk[2] ?? 1)
  left.after = Number(hunk[4] ?? 1)
  return unnumbered('@', hunk.input)
}

function unnumbered(sign: DiffLine['sign'], text: string): DiffLine {
  return { sign, text, before: null, after: null }
}

type Pair = { before: number; after: number }

function contentLine(line: string, left: Pair, next: Pair): DiffLine {
  const text = line.slice(1)
  if (line.startsWith('+')) {
    left.after -= 1
    next.after += 1
    return { sign: '+', text, before: null, after: next.after - 1 }
  }
  if (line.startsWith('-')) {
    left.before -= 1
    next.before += 1
    return { sign: '-', text, before: next.before - 1, after: null }
  }
  if (line.startsWith('\\')) return unnumbered('@', line)
  left.before -= 1
  left.after -= 1
  next.before += 1
  next.after += 1
  return { sign: ' ', text, before: next.before - 1, after: next.after - 1 }
}

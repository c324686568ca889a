import { formatCount } from '../ui/format.ts'
import {
  CodeFrame,
  CodeLine,
  type DiffLine,
  DiffRow,
  LineNumber,
  LinesLeftOut,
  lineStates,
  parseDiff,
} from './code-view.tsx'

const MAX_LINES = 3000

/** The subject's changes of the workspace, file by file. */
export function DiffView({ diff }: { diff: string }) {
  let left = MAX_LINES
  return splitDiff(diff).map((file, index) => {
    const shown = file.lines.slice(0, left)
    left -= shown.length
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a hostile diff may name a file twice.
      <CodeFrame key={index} label={`Diff of ${file.path}`} note={counts(file)} title={file.path}>
        <DiffLines file={{ ...file, lines: shown }} />
        <LinesLeftOut count={file.lines.length - shown.length} />
      </CodeFrame>
    )
  })
}

const counts = ({ added, removed }: DiffFile) => `+${formatCount(added)} −${formatCount(removed)}`

function DiffLines({ file: { path, lines } }: { file: DiffFile }) {
  // Both sides are highlighted as one text, which is accurate enough; a hunk can start anywhere.
  const texts = lines.map(({ text, before, after }) => ((before ?? after) === null ? '' : text))
  const states = lineStates(path, texts)
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
    <DiffRow key={index} line={line} state={states[index] ?? null} />
  ))
}

/** This solution next to another one, file by file; `diff` leads from this one to the other. */
export function SolutionsBeside({ diff }: { diff: string }) {
  return splitDiff(diff).map((file) => {
    const rows = sideBySide(file.lines)
    const shown = rows.slice(0, MAX_LINES)
    return (
      <CodeFrame
        key={file.path}
        label={`This attempt compared with the solved one, ${file.path}`}
        title={file.path}
      >
        <table className="w-full border-collapse">
          <thead className="sr-only">
            <tr>
              <th scope="col">This attempt</th>
              <th scope="col">Solved attempt</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
              <Beside key={index} row={row} />
            ))}
          </tbody>
        </table>
        <LinesLeftOut count={rows.length - shown.length} />
      </CodeFrame>
    )
  })
}

function Beside({ row }: { row: SideRow | null }) {
  if (row === null)
    return (
      <tr>
        <td className="bg-sunken text-muted" colSpan={2}>
          ⋯
        </td>
      </tr>
    )
  return (
    <tr className="align-top">
      <Side line={row.left} tone="bg-bad-soft" />
      <Side line={row.right} tone="bg-good-soft" />
    </tr>
  )
}

function Side({ line, tone }: { line: SideRow['left']; tone: string }) {
  if (line === null) return <td className="w-1/2 bg-sunken" />
  return (
    <td className={`w-1/2 border-line border-r ${line.changed ? tone : ''}`}>
      <span className="flex">
        <LineNumber number={line.number} />
        <CodeLine state={null} text={line.text} />
      </span>
    </td>
  )
}

/** The reason for a missing diff. */
export function NoDiff({ stored, isElsewhere }: { stored: boolean; isElsewhere: boolean }) {
  const absent = isElsewhere
    ? 'The diff is not in this data folder.'
    : 'No diff is stored for this episode.'
  return <p className="text-muted">{stored ? 'The workspace was not changed.' : absent}</p>
}

type DiffFile = { path: string; lines: DiffLine[]; added: number; removed: number }

/** Splits a unified diff by file; lines without a file name, such as a note on a binary file, form their own. */
export function splitDiff(diff: string): DiffFile[] {
  const files: DiffFile[] = []
  for (const line of parseDiff(diff)) {
    if (line.sign === 'file') addHeader(files, line)
    else addContent(files, line)
  }
  return files
}

const SIDE = /^(?:---|\+\+\+) (?:[ab]\/)?(.*?)\t?$/

function addHeader(files: DiffFile[], line: DiffLine): void {
  const name = SIDE.exec(line.text)?.[1]
  const last = files.at(-1)
  if (line.text.startsWith('+++ ') && last?.lines.length === 0) {
    if (name && name !== '/dev/null') last.path = name
    return
  }
  // Lines below the header of a rewritten file belong to that file.
  if (last && name === undefined && line.text.startsWith('(')) last.lines.push(line)
  else files.push({ path: name ?? line.text, lines: [], added: 0, removed: 0 })
}

function addContent(files: DiffFile[], line: DiffLine): void {
  const file = files.at(-1) ?? { path: 'changes', lines: [], added: 0, removed: 0 }
  if (files.length === 0) files.push(file)
  file.lines.push(line)
  if (line.sign === '+') file.added += 1
  if (line.sign === '-') file.removed += 1
}

/** A row of two files side by side; null = no line on this side. */
type SideRow = { left: SideLine | null; right: SideLine | null }
type SideLine = { number: number; text: string; changed: boolean }

/** The hunks of one file's diff side by side: removed lines left, added lines right; null = gap between hunks. */
export function sideBySide(lines: readonly DiffLine[]): (SideRow | null)[] {
  const rows: (SideRow | null)[] = []
  const open: { removed: SideLine[]; added: SideLine[] } = { removed: [], added: [] }
  for (const line of lines) {
    const { sign, text, before, after } = line
    const number = before ?? after
    if (number !== null && sign === '-') open.removed.push({ number, text, changed: true })
    else if (number !== null && sign === '+') open.added.push({ number, text, changed: true })
    else if (sign !== '@' || text.startsWith('@@')) {
      rows.push(...pair(open))
      rows.push(...plainRow(line, rows))
    }
  }
  return [...rows, ...pair(open)]
}

/** An unchanged line on both sides, or the gap before a hunk that is not the first. */
function plainRow({ text, before, after }: DiffLine, rows: readonly unknown[]) {
  if (before === null || after === null) return rows.length > 0 ? [null] : []
  const side = (number: number) => ({ number, text, changed: false })
  return [{ left: side(before), right: side(after) }]
}

/** Pairs the changed lines between two unchanged ones; empties both lists. */
function pair(open: { removed: SideLine[]; added: SideLine[] }): SideRow[] {
  const { removed, added } = open
  open.removed = []
  open.added = []
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, at) => {
    return { left: removed[at] ?? null, right: added[at] ?? null }
  })
}

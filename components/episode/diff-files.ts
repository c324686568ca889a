import { type DiffLine, parseDiff } from './parse-diff.ts'

export type DiffFile = { path: string; lines: DiffLine[]; added: number; removed: number }

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
export type SideRow = { left: SideLine | null; right: SideLine | null }
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

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

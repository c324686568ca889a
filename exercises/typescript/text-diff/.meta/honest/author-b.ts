export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

type Mark = ' ' | '-' | '+'

/** One line of the comparison. `oldBefore` and `newBefore` count the lines of the texts above it. */
interface Row {
  readonly mark: Mark
  readonly line: string
  readonly oldBefore: number
  readonly newBefore: number
}

/** The lines at these two indexes are the same one. */
type Match = readonly [oldIndex: number, newIndex: number]

export function diffLines(oldText: string, newText: string, context = 3): Hunk[] {
  if (!Number.isInteger(context) || context < 0) {
    throw new RangeError(`context must be a non-negative integer, not ${context}`)
  }
  const oldLines = splitLines(oldText)
  const newLines = splitLines(newText)
  const rows = compare(oldLines, newLines, matchLines(oldLines, newLines))
  return groupChanges(rows, context).map(([first, last]) =>
    toHunk(rows.slice(Math.max(0, first - context), Math.min(rows.length, last + context + 1))),
  )
}

export function formatHunks(hunks: readonly Hunk[]): string {
  const range = (start: number, count: number): string => (count === 1 ? `${start}` : `${start},${count}`)
  return hunks
    .flatMap((hunk) => [
      `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
      ...hunk.lines,
    ])
    .map((line) => `${line}\n`)
    .join('')
}

/** Each line with its `\n`, if it has one. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? []
}

/** The longest way to pair equal lines of both texts without crossing. */
function matchLines(oldLines: readonly string[], newLines: readonly string[]): Match[] {
  // A line that only one of the texts has can never be kept, so it only gets in the way.
  const inOld = new Set(oldLines)
  const inNew = new Set(newLines)
  const oldIndexes = [...oldLines.keys()].filter((index) => inNew.has(oldLines[index]))
  const newIndexes = [...newLines.keys()].filter((index) => inOld.has(newLines[index]))

  const numbers = new Map([...inOld].map((line, number) => [line, number]))
  const numberOf = (line: string): number => numbers.get(line) as number
  return commonSubsequence(
    oldIndexes.map((index) => numberOf(oldLines[index])),
    newIndexes.map((index) => numberOf(newLines[index])),
  ).map(([left, right]) => [oldIndexes[left], newIndexes[right]])
}

/**
 * The greedy search of Myers: on each diagonal `x - y` it knows how far one gets with
 * `d` differences, and goes on to `d + 1` until one of the ways reaches the end.
 */
function commonSubsequence(left: readonly number[], right: readonly number[]): Match[] {
  const most = left.length + right.length
  const reach = new Int32Array(2 * most + 3)
  const at = (diagonal: number): number => diagonal + most + 1
  /** For each `d`, what `reach` held on the diagonals from `-d` to `d` once they were done. */
  const history: Int32Array[] = []

  for (let d = 0; ; d++) {
    for (let diagonal = -d; diagonal <= d; diagonal += 2) {
      let x = startOn(diagonal, d, (other) => reach[at(other)])
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++
      reach[at(diagonal)] = x
      if (x >= left.length && x - diagonal >= right.length) return traceBack(history, d, x, diagonal)
    }
    history.push(reach.slice(at(-d), at(d) + 1))
  }
}

/** Where the way with `d` differences enters a diagonal: from above, or from the left. */
function startOn(diagonal: number, d: number, reachOf: (diagonal: number) => number): number {
  if (d === 0) return 0
  return comesFromAbove(diagonal, d, reachOf) ? reachOf(diagonal + 1) : reachOf(diagonal - 1) + 1
}

function comesFromAbove(diagonal: number, d: number, reachOf: (diagonal: number) => number): boolean {
  return diagonal === -d || (diagonal !== d && reachOf(diagonal - 1) < reachOf(diagonal + 1))
}

function traceBack(history: readonly Int32Array[], differences: number, end: number, endDiagonal: number): Match[] {
  const matches: Match[] = []
  let x = end
  let diagonal = endDiagonal
  for (let d = differences; d >= 0; d--) {
    const reachOf = (other: number): number => history[d - 1][other + d - 1]
    const start = startOn(diagonal, d, reachOf)
    while (x > start) {
      x--
      matches.push([x, x - diagonal])
    }
    if (d > 0) {
      const fromAbove = comesFromAbove(diagonal, d, reachOf)
      diagonal += fromAbove ? 1 : -1
      x = fromAbove ? start : start - 1
    }
  }
  return matches.reverse()
}

/** Between two matches, first everything that is removed and then everything that is added. */
function compare(oldLines: readonly string[], newLines: readonly string[], matches: readonly Match[]): Row[] {
  const rows: Row[] = []
  let oldBefore = 0
  let newBefore = 0
  const emit = (mark: Mark, line: string): void => {
    rows.push({ mark, line, oldBefore, newBefore })
    if (mark !== '+') oldBefore++
    if (mark !== '-') newBefore++
  }
  const end: Match = [oldLines.length, newLines.length]
  for (const [oldIndex, newIndex] of [...matches, end]) {
    while (oldBefore < oldIndex) emit('-', oldLines[oldBefore])
    while (newBefore < newIndex) emit('+', newLines[newBefore])
    if (oldIndex < oldLines.length) emit(' ', oldLines[oldIndex])
  }
  return rows
}

/** The first and the last changed row of each hunk. */
function groupChanges(rows: readonly Row[], context: number): [first: number, last: number][] {
  const groups: [first: number, last: number][] = []
  rows.forEach(({ mark }, index) => {
    if (mark === ' ') return
    const group = groups.at(-1)
    if (group !== undefined && index - group[1] - 1 <= 2 * context) group[1] = index
    else groups.push([index, index])
  })
  return groups
}

function toHunk(rows: readonly Row[]): Hunk {
  const [{ oldBefore, newBefore }] = rows
  const oldLines = rows.filter(({ mark }) => mark !== '+').length
  const newLines = rows.filter(({ mark }) => mark !== '-').length
  return {
    oldStart: oldLines === 0 ? oldBefore : oldBefore + 1,
    oldLines,
    newStart: newLines === 0 ? newBefore : newBefore + 1,
    newLines,
    lines: rows.flatMap(({ mark, line }) =>
      line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'],
    ),
  }
}

export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

/** A line that both texts have, by its index in each of them. */
interface Match {
  readonly oldIndex: number
  readonly newIndex: number
}

/** The lines from `oldStart` to `oldEnd` are replaced by those from `newStart` to `newEnd`. */
interface Change {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** The lines with their newlines, so that a last line without one is different. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** A longest common subsequence, found by the greedy algorithm of Myers. */
function longestCommon(left: readonly number[], right: readonly number[]): [number, number][] {
  const n = left.length
  const m = right.length
  const max = n + m
  const furthest = new Int32Array(2 * max + 2)
  const history: Int32Array[] = []

  search: for (let d = 0; d <= max; d++) {
    // What step d needs to know from the step before: the diagonals from -d to d.
    history.push(furthest.slice(max - d, max + d + 1))
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && furthest[max + k - 1]! < furthest[max + k + 1]!)
      let x = down ? furthest[max + k + 1]! : furthest[max + k - 1]! + 1
      let y = x - k
      while (x < n && y < m && left[x] === right[y]) {
        x++
        y++
      }
      furthest[max + k] = x
      if (x >= n && y >= m) break search
    }
  }

  const pairs: [number, number][] = []
  let x = n
  let y = m
  for (let d = history.length - 1; d >= 0; d--) {
    const before = history[d]!
    const at = (diagonal: number): number => before[diagonal + d]!
    const k = x - y
    const down = d > 0 && (k === -d || (k !== d && at(k - 1) < at(k + 1)))
    const previousX = d === 0 ? 0 : down ? at(k + 1) : at(k - 1)
    const previousY = d === 0 ? 0 : previousX - (down ? k + 1 : k - 1)
    const startX = d === 0 ? 0 : down ? previousX : previousX + 1
    while (x > startX) pairs.push([--x, --y])
    x = previousX
    y = previousY
  }
  return pairs.reverse()
}

function findMatches(oldLines: readonly string[], newLines: readonly string[]): Match[] {
  const matches: Match[] = []
  const shorter = Math.min(oldLines.length, newLines.length)
  let prefix = 0
  while (prefix < shorter && oldLines[prefix] === newLines[prefix]) prefix++
  let suffix = 0
  while (
    suffix < shorter - prefix &&
    oldLines[oldLines.length - 1 - suffix] === newLines[newLines.length - 1 - suffix]
  ) {
    suffix++
  }

  for (let i = 0; i < prefix; i++) matches.push({ oldIndex: i, newIndex: i })

  // A line that only one of the texts has is changed in any case and need not be compared.
  const ids = new Map<string, number>()
  const newSet = new Set(newLines)
  const oldIndexes: number[] = []
  const newIndexes: number[] = []
  for (let i = prefix; i < oldLines.length - suffix; i++) {
    const line = oldLines[i]!
    if (!newSet.has(line)) continue
    if (!ids.has(line)) ids.set(line, ids.size)
    oldIndexes.push(i)
  }
  for (let i = prefix; i < newLines.length - suffix; i++) {
    if (ids.has(newLines[i]!)) newIndexes.push(i)
  }
  const pairs = longestCommon(
    oldIndexes.map((i) => ids.get(oldLines[i]!)!),
    newIndexes.map((i) => ids.get(newLines[i]!)!),
  )
  for (const [i, j] of pairs) matches.push({ oldIndex: oldIndexes[i]!, newIndex: newIndexes[j]! })

  for (let i = suffix; i > 0; i--) {
    matches.push({ oldIndex: oldLines.length - i, newIndex: newLines.length - i })
  }
  return matches
}

function findChanges(oldLines: readonly string[], newLines: readonly string[]): Change[] {
  const changes: Change[] = []
  let oldStart = 0
  let newStart = 0
  const ends = [
    ...findMatches(oldLines, newLines),
    { oldIndex: oldLines.length, newIndex: newLines.length },
  ]
  for (const { oldIndex: oldEnd, newIndex: newEnd } of ends) {
    if (oldStart < oldEnd || newStart < newEnd) changes.push({ oldStart, oldEnd, newStart, newEnd })
    oldStart = oldEnd + 1
    newStart = newEnd + 1
  }
  return changes
}

function groupChanges(changes: readonly Change[], distance: number): Change[][] {
  const groups: Change[][] = []
  let previous: Change | undefined
  for (const change of changes) {
    if (previous !== undefined && change.oldStart - previous.oldEnd <= distance) {
      groups.at(-1)!.push(change)
    } else {
      groups.push([change])
    }
    previous = change
  }
  return groups
}

function showLine(sign: ' ' | '-' | '+', line: string): string[] {
  return line.endsWith('\n')
    ? [sign + line.slice(0, -1)]
    : [sign + line, '\\ No newline at end of file']
}

export function diffLines(oldText: string, newText: string, context = 3): Hunk[] {
  if (!Number.isInteger(context) || context < 0) {
    throw new RangeError(`context must be a non-negative integer: ${context}`)
  }
  const oldLines = splitLines(oldText)
  const newLines = splitLines(newText)

  return groupChanges(findChanges(oldLines, newLines), 2 * context).map((changes): Hunk => {
    const first = changes[0]!
    const last = changes.at(-1)!
    const before = Math.min(context, first.oldStart)
    const after = Math.min(context, oldLines.length - last.oldEnd)
    const oldStart = first.oldStart - before
    const oldEnd = last.oldEnd + after
    const newStart = first.newStart - before
    const newEnd = last.newEnd + after

    const lines: string[] = []
    const show = (sign: ' ' | '-' | '+', shown: readonly string[]): void => {
      for (const line of shown) lines.push(...showLine(sign, line))
    }
    let position = oldStart
    for (const change of changes) {
      show(' ', oldLines.slice(position, change.oldStart))
      show('-', oldLines.slice(change.oldStart, change.oldEnd))
      show('+', newLines.slice(change.newStart, change.newEnd))
      position = change.oldEnd
    }
    show(' ', oldLines.slice(position, oldEnd))

    const oldCount = oldEnd - oldStart
    const newCount = newEnd - newStart
    return {
      oldStart: oldCount === 0 ? oldStart : oldStart + 1,
      oldLines: oldCount,
      newStart: newCount === 0 ? newStart : newStart + 1,
      newLines: newCount,
      lines,
    }
  })
}

export function formatHunks(hunks: readonly Hunk[]): string {
  const range = (start: number, count: number): string =>
    count === 1 ? `${start}` : `${start},${count}`
  return hunks
    .flatMap((hunk) => [
      `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
      ...hunk.lines,
    ])
    .map((line) => `${line}\n`)
    .join('')
}

// Counts the entry about the missing newline as a line of the hunk.
export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

type Kind = ' ' | '-' | '+'

interface Entry {
  readonly kind: Kind
  /** Includes the newline, if the line has one. */
  readonly line: string
}

/** A line that stays, by its positions in the two texts. */
type Match = readonly [oldIndex: number, newIndex: number]

const NO_NEWLINE = '\\ No newline at end of file'

export function diffLines(oldText: string, newText: string, context = 3): Hunk[] {
  if (!Number.isInteger(context) || context < 0) {
    throw new RangeError(`The context must be a non-negative integer: ${context}`)
  }
  const entries = compareLines(splitLines(oldText), splitLines(newText))
  return groupChanges(entries, context).map(([from, to]) => toHunk(entries, from, to))
}

export function formatHunks(hunks: readonly Hunk[]): string {
  return hunks.map(formatHunk).join('')
}

function formatHunk({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string {
  const range = (start: number, count: number) => (count === 1 ? `${start}` : `${start},${count}`)
  const header = `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`
  return [header, ...lines].map((line) => `${line}\n`).join('')
}

function splitLines(text: string): string[] {
  const lines = text.split('\n')
  const rest = lines.pop()
  const ended = lines.map((line) => `${line}\n`)
  return rest ? [...ended, rest] : ended
}

function compareLines(oldLines: readonly string[], newLines: readonly string[]): Entry[] {
  const entries: Entry[] = []
  let oldIndex = 0
  let newIndex = 0
  const change = (oldEnd: number, newEnd: number): void => {
    while (oldIndex < oldEnd) entries.push({ kind: '-', line: oldLines[oldIndex++] })
    while (newIndex < newEnd) entries.push({ kind: '+', line: newLines[newIndex++] })
  }

  for (const [oldMatch, newMatch] of findMatches(oldLines, newLines)) {
    change(oldMatch, newMatch)
    entries.push({ kind: ' ', line: oldLines[oldMatch] })
    oldIndex = oldMatch + 1
    newIndex = newMatch + 1
  }
  change(oldLines.length, newLines.length)
  return entries
}

/**
 * A longest common subsequence, after Myers: with one more edit in each round, go as far as
 * possible on every diagonal (old index minus new index), until one of the ways reaches the end of
 * both texts.
 */
function findMatches(oldLines: readonly string[], newLines: readonly string[]): Match[] {
  const oldEnd = oldLines.length
  const newEnd = newLines.length
  const furthest = new Map<number, number>([[1, 0]])
  const rounds: ReadonlyMap<number, number>[] = []

  for (let edits = 0; ; edits += 1) {
    rounds.push(frontier(furthest, edits))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let oldIndex = isInsertion(furthest, diagonal, edits)
        ? reached(furthest, diagonal + 1)
        : reached(furthest, diagonal - 1) + 1
      let newIndex = oldIndex - diagonal
      while (oldIndex < oldEnd && newIndex < newEnd && oldLines[oldIndex] === newLines[newIndex]) {
        oldIndex += 1
        newIndex += 1
      }
      furthest.set(diagonal, oldIndex)
      if (oldIndex >= oldEnd && newIndex >= newEnd) return traceBack(rounds, oldEnd, newEnd)
    }
  }
}

/** What the round with this many edits starts from. */
function frontier(furthest: ReadonlyMap<number, number>, edits: number): Map<number, number> {
  const copy = new Map<number, number>()
  for (let diagonal = -edits - 1; diagonal <= edits + 1; diagonal += 1) {
    const oldIndex = furthest.get(diagonal)
    if (oldIndex !== undefined) copy.set(diagonal, oldIndex)
  }
  return copy
}

function reached(furthest: ReadonlyMap<number, number>, diagonal: number): number {
  return furthest.get(diagonal) ?? -1
}

/** Whether the best way onto this diagonal adds a line, coming from the diagonal above. */
function isInsertion(
  furthest: ReadonlyMap<number, number>,
  diagonal: number,
  edits: number,
): boolean {
  if (diagonal === -edits) return true
  if (diagonal === edits) return false
  return reached(furthest, diagonal - 1) < reached(furthest, diagonal + 1)
}

function traceBack(
  rounds: readonly ReadonlyMap<number, number>[],
  oldEnd: number,
  newEnd: number,
): Match[] {
  const matches: Match[] = []
  let oldIndex = oldEnd
  let newIndex = newEnd
  for (let edits = rounds.length - 1; edits >= 0; edits -= 1) {
    const furthest = rounds[edits]
    const diagonal = oldIndex - newIndex
    const from = isInsertion(furthest, diagonal, edits) ? diagonal + 1 : diagonal - 1
    const oldBefore = edits === 0 ? 0 : reached(furthest, from)
    const newBefore = edits === 0 ? 0 : oldBefore - from
    while (oldIndex > oldBefore && newIndex > newBefore) {
      oldIndex -= 1
      newIndex -= 1
      matches.push([oldIndex, newIndex])
    }
    oldIndex = oldBefore
    newIndex = newBefore
  }
  return matches.reverse()
}

/** The first entry of each hunk and the first one after it. */
function groupChanges(entries: readonly Entry[], context: number): [from: number, to: number][] {
  const groups: [from: number, to: number][] = []
  entries.forEach(({ kind }, index) => {
    if (kind === ' ') return
    const from = Math.max(index - context, 0)
    const to = Math.min(index + context + 1, entries.length)
    const last = groups.at(-1)
    if (last && from <= last[1]) last[1] = to
    else groups.push([from, to])
  })
  return groups
}

function toHunk(entries: readonly Entry[], from: number, to: number): Hunk {
  const shown = entries.slice(from, to)
  const oldBefore = countLines(entries.slice(0, from), '-')
  const newBefore = countLines(entries.slice(0, from), '+')
  const lines = shown.flatMap(({ kind, line }) =>
    line.endsWith('\n') ? [kind + line.slice(0, -1)] : [kind + line, NO_NEWLINE],
  )
  const oldLines = lines.filter((line) => !line.startsWith('+')).length
  const newLines = lines.filter((line) => !line.startsWith('-')).length
  return {
    oldStart: oldLines === 0 ? oldBefore : oldBefore + 1,
    oldLines,
    newStart: newLines === 0 ? newBefore : newBefore + 1,
    newLines,
    lines,
  }
}

/** The lines of one text: those of the given kind and the unchanged ones. */
function countLines(entries: readonly Entry[], kind: Kind): number {
  return entries.filter((entry) => entry.kind === kind || entry.kind === ' ').length
}

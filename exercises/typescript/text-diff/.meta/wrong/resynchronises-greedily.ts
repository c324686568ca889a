// Goes on at the nearest line that matches again, which is not always the shortest way.
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

/** After a difference, skips as few lines as possible until both texts agree again. */
function findMatches(oldLines: readonly string[], newLines: readonly string[]): Match[] {
  const matches: Match[] = []
  let oldIndex = 0
  let newIndex = 0
  for (;;) {
    const next = findNextMatch(oldLines, newLines, oldIndex, newIndex)
    if (!next) return matches
    matches.push(next)
    oldIndex = next[0] + 1
    newIndex = next[1] + 1
  }
}

function findNextMatch(
  oldLines: readonly string[],
  newLines: readonly string[],
  oldFrom: number,
  newFrom: number,
): Match | undefined {
  const furthest = oldLines.length - oldFrom + newLines.length - newFrom
  for (let skipped = 0; skipped < furthest; skipped += 1) {
    for (let removed = 0; removed <= skipped; removed += 1) {
      const oldIndex = oldFrom + removed
      const newIndex = newFrom + skipped - removed
      if (oldIndex >= oldLines.length || newIndex >= newLines.length) continue
      if (oldLines[oldIndex] === newLines[newIndex]) return [oldIndex, newIndex]
    }
  }
  return undefined
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
  const oldLines = countLines(shown, '-')
  const newLines = countLines(shown, '+')
  return {
    oldStart: oldLines === 0 ? oldBefore : oldBefore + 1,
    oldLines,
    newStart: newLines === 0 ? newBefore : newBefore + 1,
    newLines,
    lines: shown.flatMap(({ kind, line }) =>
      line.endsWith('\n') ? [kind + line.slice(0, -1)] : [kind + line, NO_NEWLINE],
    ),
  }
}

/** The lines of one text: those of the given kind and the unchanged ones. */
function countLines(entries: readonly Entry[], kind: Kind): number {
  return entries.filter((entry) => entry.kind === kind || entry.kind === ' ').length
}

/** 1: row `a` is significantly better than row `b`; -1: worse; 0: no significant difference. Rows by position. */
type Order = (a: number, b: number) => -1 | 0 | 1

/** A row's place above those that it is not better than, its tie group, its rank set and its letters. */
export type Placement = RankRange & { place: number; tieGroup: number; letters: string }

/** Derives all placements from the verdicts about all pairs of rows, which are sorted by rate. */
export function placeRows(rows: number, order: Order): Placement[] {
  const sets = rankSets(rows, order)
  const letters = tieLetters(rows, order)
  return tieGroups(rows, order).map((group, row) => ({
    ...group,
    ...(sets[row] as RankRange),
    letters: letters[row] as string,
  }))
}

/**
 * Consecutive rows without a significant difference between any two; rows of different groups may still share a letter.
 */
function tieGroups(rows: number, order: Order) {
  const groups: { place: number; tieGroup: number }[] = []
  let [first, tieGroup] = [0, 1]
  for (let row = 0; row < rows; row++) {
    let isApart = false
    for (let member = first; member < row && !isApart; member++) isApart = order(member, row) !== 0
    if (isApart) [first, tieGroup] = [row, tieGroup + 1]
    groups.push({ place: first + 1, tieGroup })
  }
  return groups
}

/** The ranks that the evidence allows a row, 1 = first. */
export type RankRange = { low: number; high: number }

/**
 * Rank sets from pairwise verdicts: the best rank is one below all rows that are significantly better, the worst one
 * above all that are significantly worse. While no verdict is wrong, every set contains the row's true rank, so sets
 * from verdicts with a family-wise error of alpha are all correct in 1 - alpha of boards (Mogstad, Romano, Shaikh and
 * Wilhelm 2024).
 */
function rankSets(rows: number, order: Order): RankRange[] {
  return Array.from({ length: rows }, (_, row) => {
    let [better, worse] = [0, 0]
    for (let other = 0; other < rows; other++) {
      if (other === row) continue
      const verdict = order(row, other)
      if (verdict < 0) better++
      if (verdict > 0) worse++
    }
    return { low: 1 + better, high: rows - worse }
  })
}

/**
 * Compact letter display: two rows share a letter exactly when they do not differ significantly. Rows are sorted by
 * rate; letters go A … Z, A2 … Z2, and so on, from the best row down. Each letter belongs to a maximal set of rows
 * without a significant difference between any two; redundant letters are left out (Piepho 2004).
 */
export function tieLetters(rows: number, order: Order): string[] {
  const isTied = (a: number, b: number) => a === b || order(a, b) === 0
  const groups = withoutSpares(tieCliques(rows, isTied), rows).sort(byMembers)
  const letters = new Array<string>(rows).fill('')
  groups.forEach((group, index) => {
    for (const row of group) letters[row] += letterOf(index)
  })
  return letters
}

/**
 * Finds sets of rows without a significant difference between any two; every pair that does not differ is in one of
 * them.
 */
function tieCliques(rows: number, isTied: (a: number, b: number) => boolean): number[][] {
  const covered = new Uint8Array(rows * rows)
  const groups: number[][] = []
  const cover = (first: number, last: number) => {
    if (covered[first * rows + last] === 1 || !isTied(first, last)) return
    const group = growGroup(rows, first, last, isTied)
    groups.push(group)
    for (const a of group) for (const b of group) covered[a * rows + b] = 1
  }
  // Farthest partner first: the group around both covers most nearer ones.
  for (let first = 0; first < rows; first++)
    for (let last = rows - 1; last >= first; last--) cover(first, last)
  return groups
}

/** Adds rows between the two first, then those after, then those before, so that groups stay contiguous. */
function growGroup(
  rows: number,
  first: number,
  last: number,
  isTied: (a: number, b: number) => boolean,
): number[] {
  const group = [...new Set([first, last])]
  const candidates = [
    ...range(first + 1, last),
    ...range(last + 1, rows),
    ...range(0, first).reverse(),
  ]
  for (const row of candidates) if (group.every((member) => isTied(member, row))) group.push(row)
  return group.sort((a, b) => a - b)
}

/** Drops groups whose pairs are all covered by other groups. */
function withoutSpares(groups: readonly number[][], rows: number): number[][] {
  const times = new Uint32Array(rows * rows)
  const add = (group: readonly number[], change: number) => {
    for (const a of group)
      for (const b of group) times[a * rows + b] = (times[a * rows + b] as number) + change
  }
  for (const group of groups) add(group, 1)
  return groups.filter((group) => {
    const isSpare = group.every((a) => group.every((b) => (times[a * rows + b] as number) > 1))
    if (isSpare) add(group, -1)
    return !isSpare
  })
}

function byMembers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((row, index) => row !== b[index])
  return at < 0 ? a.length - b.length : (a[at] as number) - (b[at] ?? -1)
}

function letterOf(index: number): string {
  const turn = Math.floor(index / ALPHABET.length)
  return `${ALPHABET[index % ALPHABET.length]}${turn === 0 ? '' : turn + 1}`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

/** One kill and the fate of the attempts that were under way. */
export type KillResult = {
  name: string
  /** Until everything that was hit is made up for, in ms; null = it never was. */
  recoveredMs: number | null
  /** Attempts under way. */
  open: readonly string[]
}

const HEAD = [
  'killed',
  'times',
  'recovered',
  'p50 ms',
  'p95 ms',
  'under way',
  'kept',
  'lost',
  'duplicated',
]

/** A row for each kind of blow; `lost` and `duplicated` hold attempts by their key. */
export function printTable(
  blows: readonly KillResult[],
  lost: ReadonlySet<string>,
  duplicated: ReadonlySet<string>,
): string {
  const names = [...new Set(blows.map(({ name }) => name))].sort()
  const rows = [...names, 'together'].map((name) => {
    const those = name === 'together' ? blows : blows.filter((blow) => blow.name === name)
    const times = those.flatMap(({ recoveredMs }) => recoveredMs ?? []).sort((a, b) => a - b)
    const open = [...new Set(those.flatMap((blow) => blow.open))]
    const gone = open.filter((key) => lost.has(key)).length
    return [
      name,
      those.length,
      times.length,
      quantile(times, 0.5),
      quantile(times, 0.95),
      open.length,
      open.length - gone,
      gone,
      open.filter((key) => duplicated.has(key)).length,
    ].map((cell) => String(cell))
  })
  return formatTable(HEAD, rows)
}

function quantile(sorted: readonly number[], share: number): string {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return value === undefined ? '–' : value.toFixed(0)
}

/** Rows under each other, columns as wide as they need; numbers stay where they are put. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)),
  )
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

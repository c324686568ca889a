/** One kill, and what became of the attempts in progress. */
export type KillResult = {
  name: string
  /** Milliseconds until everything that was killed is replaced; null = never. */
  recoveredMs: number | null
  /** Attempts in progress. */
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

/** Prints a row per kind of kill; `lost` and `duplicated` contain attempts by their key. */
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

/** Formats rows with columns as wide as their content. */
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

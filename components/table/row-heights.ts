/** Returns the height of each rendered row of a table, with its details and the heading of a band above it. */
export function rowHeights(table: HTMLTableElement | null): number[] {
  const heights: number[] = []
  let heading = 0
  for (const line of [...(table?.tBodies ?? [])].flatMap(({ rows }) => [...rows])) {
    const { height } = line.getBoundingClientRect()
    const kind = kindOf(line)
    if (kind === 'heading') heading = height
    else if (kind === 'details') heights.push((heights.pop() ?? 0) + height)
    else if (kind === 'row') {
      heights.push(heading + height)
      heading = 0
    }
  }
  return heights
}

function kindOf({
  id,
  cells,
  dataset,
}: HTMLTableRowElement): 'space' | 'heading' | 'details' | 'row' {
  if (dataset.space !== undefined) return 'space'
  if (cells[0]?.scope === 'rowgroup') return 'heading'
  return id.startsWith('details-') ? 'details' : 'row'
}

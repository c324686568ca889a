/** Minimum rows for statistics about single tasks. */
export const MIN_ROWS = 3

/** One row as input of the item analysis: the mean success of each scored task, 0–1, by task id. */
export type ItemRow = ReadonlyMap<string, number>

/** Item statistics of one task. */
export type ItemStatistics = {
  taskId: string
  /** Number of rows with a scored episode of the task. */
  rows: number
  /** Mean success over these rows, 0–1; null = no row contains it. */
  mean: number | null
  /** `all`: every row solves it every time; `none`: no row ever does. A dead task does not discriminate between rows. */
  solvedBy: 'all' | 'none' | 'some' | null
  /**
   * Correlation, over rows, of success on the task with the mean success on all other tasks (item-rest; for rows of one
   * repetition, point-biserial). Near 1: strong rows solve it and weak ones do not; near 0: unrelated; below 0: weak
   * rows solve it more often. Null with fewer than three rows, or if either side does not vary.
   */
  discrimination: number | null
}

/**
 * Analyses items over rows, in the order of `taskIds`. With fewer than three rows only the means are returned; a task
 * that fewer rows have scored is neither dead nor discriminating.
 */
export function itemStatistics(
  taskIds: readonly string[],
  rows: readonly ItemRow[],
): ItemStatistics[] {
  const lists = rows.map((row) => ({ row, entries: [...row] }))
  return taskIds.map((taskId) => {
    const pairs = lists.flatMap(({ row, entries }) => {
      const item = row.get(taskId)
      return item === undefined ? [] : [{ item, rest: restMean(entries, taskId) }]
    })
    const items = pairs.map(({ item }) => item)
    const enough = items.length >= MIN_ROWS
    return {
      taskId,
      rows: items.length,
      mean: items.length === 0 ? null : meanOf(items),
      solvedBy: enough ? solvedBy(items) : null,
      discrimination: enough ? itemRest(pairs) : null,
    }
  })
}

function solvedBy(items: readonly number[]): 'all' | 'none' | 'some' {
  if (items.every((item) => item === 1)) return 'all'
  return items.every((item) => item === 0) ? 'none' : 'some'
}

/** Added up in the order of the row: the total minus one value would differ in its last digits. */
function restMean(row: readonly (readonly [string, number])[], taskId: string): number | null {
  let sum = 0
  let count = 0
  for (const [id, value] of row) {
    if (id === taskId) continue
    sum += value
    count++
  }
  return count === 0 ? null : sum / count
}

/** Pearson's correlation of the pairs with both values. */
function itemRest(pairs: readonly { item: number; rest: number | null }[]): number | null {
  const known = pairs.flatMap(({ item, rest }) => (rest === null ? [] : [[item, rest] as const]))
  if (known.length < MIN_ROWS) return null
  const [itemMean, restMeanAll] = [meanOf(known.map(([x]) => x)), meanOf(known.map(([, y]) => y))]
  let [xx, yy, xy] = [0, 0, 0]
  for (const [x, y] of known) {
    xx += (x - itemMean) ** 2
    yy += (y - restMeanAll) ** 2
    xy += (x - itemMean) * (y - restMeanAll)
  }
  // Deviations of equal numbers from their mean are floating-point noise.
  if (xx < 1e-12 || yy < 1e-12) return null
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

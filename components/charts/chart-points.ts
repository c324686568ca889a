import type { TableRow } from '#components/board/table-row.ts'
import { visibleText } from '#components/format/visible-text.ts'

/** One line of a range chart: a mark and the ends of its whisker. */
export type RangePoint = {
  id: string
  name: string
  claim: boolean
  value: number
  /** Lengths of the whisker to the left and to the right of the mark. */
  whisker: [number, number]
}

export type CostPoint = { id: string; name: string; claim: boolean; cost: number; success: number }

/** Success in per cent with its interval, best first; rows without a number have no line. */
export function successPoints(rows: readonly TableRow[]): RangePoint[] {
  const points = rows.flatMap((row) => {
    const { value, low, high } = row.success
    return value === null
      ? []
      : [point(row, value * 100, (low ?? value) * 100, (high ?? value) * 100)]
  })
  return points.sort((a, b) => b.value - a.value)
}

/** Time of solved episodes in seconds, from the median to the 95th percentile, fastest first. */
export function timePoints(rows: readonly TableRow[]): RangePoint[] {
  const points = rows.flatMap((row) => {
    const p50 = row.p50.value
    return p50 === null ? [] : [point(row, p50 / 1000, p50 / 1000, (row.p95.value ?? p50) / 1000)]
  })
  return points.sort((a, b) => a.value - b.value)
}

/** Cost per success against success, where both are known. */
export function costPoints(rows: readonly TableRow[]): CostPoint[] {
  return rows.flatMap((row) => {
    const cost = row.cost.value
    const success = row.success.value
    if (cost === null || success === null) return []
    return [
      {
        id: row.id,
        name: shortName(row),
        claim: row.pool !== null,
        cost: cost / 1e6,
        success: success * 100,
      },
    ]
  })
}

/** The points that no other point beats in both cost and success, cheapest first: the Pareto frontier. */
export function frontier(points: readonly CostPoint[]): CostPoint[] {
  const byCost = [...points].sort((a, b) => a.cost - b.cost || b.success - a.success)
  let best = Number.NEGATIVE_INFINITY
  return byCost.filter(({ success }) => {
    const isBetter = success > best
    best = Math.max(best, success)
    return isBetter
  })
}

function point(row: TableRow, value: number, low: number, high: number): RangePoint {
  return {
    id: row.id,
    name: shortName(row),
    claim: row.pool !== null,
    value,
    whisker: [Math.max(value - low, 0), Math.max(high - value, 0)],
  }
}

function shortName({ subject }: TableRow): string {
  const name = visibleText(
    [subject.name, subject.under, subject.model ?? subject.version].filter(Boolean).join(' · '),
  )
  return name.length > 26 ? `${name.slice(0, 25)}…` : name
}

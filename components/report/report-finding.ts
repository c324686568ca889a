import { formatConditions } from '#lib/domain/board/index.ts'
import { countOf, subjectLabel } from '#lib/domain/record/index.ts'
import type { AxisColumn, AxisReport, AxisRow } from '#lib/domain/reports/index.ts'
import { visibleText } from '../ui/format.ts'
import { formatMetric, withUnit } from './format-metric.ts'

type ShownRow = Pick<AxisRow, 'subject' | 'driven' | 'values' | 'browser' | 'fault'>
type Measured = Pick<AxisReport, 'columns'> & { claims: readonly ShownRow[] }

/**
 * The first thing a report says: the range of its most citable number, of one pool, since pools are never put in one order:
 * of the larger one, as on the board, of two alike the model-driven entries. Null = no ranked entry has the number.
 */
export function describeFinding({ columns, claims }: Measured): string | null {
  const column = columns.find(isFinding)
  if (!column) return null
  const measured = claims.filter(({ values }) => values[column.id]?.value != null)
  const [byModel, byScript] = (['llm', 'scripted'] as const).map((by) =>
    measured.filter(({ driven }) => driven === by),
  ) as [ShownRow[], ShownRow[]]
  const [known, pool] =
    byModel.length >= byScript.length ? [byModel, 'model-driven'] : [byScript, 'scripted']
  const sorted = [...known].sort((a, b) => figureOf(b, column) - figureOf(a, column))
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (!first || !last) return null
  if (first === last)
    return `${column.title}: ${entryText(first, column)}, the only ranked ${pool} entry.`
  return `${column.title}: from ${entryText(last, column)} to ${entryText(first, column)}, among ${countOf(sorted.length, `ranked ${pool} entry`)}.`
}

function isFinding({ role, context, unit }: AxisColumn): boolean {
  return role !== 'diagnostic' && context === undefined && unit !== 'place'
}

function figureOf({ values }: ShownRow, { id }: AxisColumn): number {
  return values[id]?.value ?? 0
}

function entryText(row: ShownRow, column: AxisColumn): string {
  const { text, interval } = formatMetric(column, row.values[column.id])
  return `${withUnit(column, text)}${interval ? ` (${interval})` : ''} for ${visibleText(nameOf(row))}`
}

function nameOf({ subject, browser, fault }: ShownRow): string {
  const conditions = formatConditions({ subject, settings: { browser, fault } })
  return [subjectLabel(subject), conditions].filter(Boolean).join(' · ')
}

import { formatConditions } from '#lib/domain/board/index.ts'
import { subjectLabel } from '#lib/domain/record/index.ts'
import type { AxisColumn, AxisReport, AxisRow } from '#lib/domain/reports/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { visibleText } from '../ui/format.ts'
import { formatMetric, withUnit } from './format-metric.ts'

type ShownRow = Pick<AxisRow, 'subject' | 'driven' | 'values' | 'browser' | 'fault'>
type Measured = Pick<AxisReport, 'columns'> & { claims: readonly ShownRow[] }

/**
 * Describes the main finding of a report: the range of its most citable number in one pool, because pools are never in
 * one order. The pool is the largest, as on the board, or of equal ones that of the model-driven entries. Null = no
 * ranked entry has the number.
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

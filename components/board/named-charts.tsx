import type { NamedRow } from '#lib/domain/api/index.ts'
import { rankPoolOf } from '#lib/domain/board/index.ts'
import { chooseCurves } from '../charts/build-figure.ts'
import { distributionFigure } from '../charts/ecdf-figure.ts'
import { failureFigure } from '../charts/failure-figure.ts'
import { toChartEntries } from '../charts/figure.ts'
import { FigureList } from '../charts/figure-list.tsx'
import { reliabilityFigure } from '../charts/reliability-figure.ts'
import { visibleText } from '../ui/format.ts'
import { Section } from '../ui/layout.tsx'

type NamedChartsProps = { rows: readonly NamedRow[] }

/** The charts of current entries, suite by suite: how long they take, how consistent they are, how they fail. */
export function NamedCharts({ rows }: NamedChartsProps) {
  const suites = [...new Set(rows.map(({ row }) => row.suiteId))]
  return suites.map((suiteId) => (
    <SuiteCharts key={suiteId} rows={rows.filter(({ row }) => row.suiteId === suiteId)} />
  ))
}

function SuiteCharts({ rows }: NamedChartsProps) {
  const [first] = rows
  const entries = toChartEntries(
    rows.map(({ row }) => row),
    rankPoolOf,
  )
  const curves = chooseCurves(entries, [])
  const figures = [
    { chart: 'time-distribution', figure: distributionFigure('time-distribution', curves, 'log') },
    { chart: 'reliability', figure: reliabilityFigure(curves) },
    { chart: 'failures', figure: failureFigure(curves) },
  ]
  if (!first || figures.every(({ figure }) => figure === null)) return null
  const suite = first.row.suiteId
  return (
    <Section id={`charts-${suite}`} title={`Charts: ${visibleText(first.suiteTitle)}`}>
      <FigureList entries={curves} figures={figures} query={{ suite }} />
    </Section>
  )
}

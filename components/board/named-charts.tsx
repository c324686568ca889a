import type { NamedKind, NamedRow } from '#lib/domain/api/index.ts'
import { rankPoolOf } from '#lib/domain/board/index.ts'
import { chooseCurves, latestOf } from '../charts/build-figure.ts'
import { distributionFigure } from '../charts/ecdf-figure.ts'
import { failureFigure } from '../charts/failure-figure.ts'
import { toChartEntries } from '../charts/figure.ts'
import { FigureList } from '../charts/figure-list.tsx'
import { FigureView } from '../charts/figure-view.tsx'
import { historyFigure, toHistoryEntry } from '../charts/history-figure.ts'
import { reliabilityFigure } from '../charts/reliability-figure.ts'
import { visibleText } from '../ui/format.ts'
import { Section } from '../ui/layout.tsx'

type NamedChartsProps = { kind: NamedKind; rows: readonly NamedRow[] }

/** Charts per suite: success over all versions, and times, consistency and failures of current entries. */
export function NamedCharts({ kind, rows }: NamedChartsProps) {
  const suites = [...new Set(rows.map(({ row }) => row.suiteId))]
  return suites.map((suiteId) => (
    <SuiteCharts
      key={suiteId}
      kind={kind}
      rows={rows.filter(({ row }) => row.suiteId === suiteId)}
    />
  ))
}

function SuiteCharts({ kind, rows }: NamedChartsProps) {
  const [first] = rows
  const history = historyFigure(kind, rows.map(toHistoryEntry))
  const entries = toChartEntries(
    rows.filter(({ isCurrent }) => isCurrent).map(({ row }) => row),
    rankPoolOf,
    new Map(rows.flatMap(({ row, style }) => (style ? [[row.rowId, style] as const] : []))),
  )
  const curves = chooseCurves(entries)
  const figures = [
    { chart: 'time-distribution', figure: distributionFigure('time-distribution', curves, 'log') },
    { chart: 'reliability', figure: reliabilityFigure(curves) },
    { chart: 'failures', figure: failureFigure(curves) },
  ]
  if (!first || (!history && figures.every(({ figure }) => figure === null))) return null
  const { suiteId: suite, suiteDigest: digest, subject } = first.row
  const updated = latestOf(rows.map(({ row }) => row))
  const source = { suite: { suiteId: suite, title: first.suiteTitle, digest }, updated }
  const name = kind === 'model' ? subject.modelRequested : subject.name
  return (
    <Section id={`charts-${suite}`} title={`Charts: ${visibleText(first.suiteTitle)}`}>
      <FigureList entries={curves} figures={figures} query={{ suite }} source={source}>
        {history ? (
          <div id={`history-${suite}`}>
            <FigureView
              figure={history}
              isStacked
              query={{ suite, chart: 'history', [kind]: name }}
              source={source}
            />
          </div>
        ) : null}
      </FigureList>
    </Section>
  )
}

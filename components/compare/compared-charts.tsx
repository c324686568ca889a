import { type Board, entryStyles, rankPoolOf } from '#lib/domain/board/index.ts'
import type { ComparedRow } from '#lib/domain/compare/index.ts'
import { chooseCurves, latestOf } from '../charts/build-figure.ts'
import { costFigure } from '../charts/cost-figure.ts'
import { distributionFigure } from '../charts/ecdf-figure.ts'
import { failureFigure } from '../charts/failure-figure.ts'
import { toChartEntries } from '../charts/figure.ts'
import { FigureList } from '../charts/figure-list.tsx'
import { reliabilityFigure } from '../charts/reliability-figure.ts'
import { Section } from '../ui/layout.tsx'

type ComparedChartsProps = {
  board: Board
  rows: readonly ComparedRow[]
}

/** The compared entries side by side: cost, time, consistency, failures. */
export function ComparedCharts({ board, rows }: ComparedChartsProps) {
  const compared = rows.flatMap(({ rowId }) => board.rows.find((row) => row.rowId === rowId) ?? [])
  const entries = toChartEntries(compared, rankPoolOf, entryStyles(board.rows))
  const curves = chooseCurves(entries)
  const figures = [
    { chart: 'cost', figure: costFigure(entries, 'log') },
    { chart: 'time-distribution', figure: distributionFigure('time-distribution', curves, 'log') },
    { chart: 'reliability', figure: reliabilityFigure(curves) },
    { chart: 'failures', figure: failureFigure(entries) },
  ]
  if (figures.every(({ figure }) => figure === null)) return null
  const { suiteId: suite, digest: version } = board.suite
  return (
    <Section id="charts" title="Charts">
      <FigureList
        entries={entries}
        figures={figures}
        query={{ suite, version }}
        source={{ suite: board.suite, updated: latestOf(compared) }}
      />
    </Section>
  )
}

import type { Board } from '#lib/domain/board/index.ts'
import { countOf, safeFileName } from '#lib/domain/text/index.ts'
import { latestOf } from '../charts/build-figure.ts'
import type { Chart } from '../charts/chart.ts'
import { DRAWN, FigureChart } from '../charts/figure-chart.tsx'
import { describeCard } from '../charts/figure-view.tsx'
import { Section } from '../ui/layout.tsx'

type TableChartProps = {
  chart: Chart | null
  title: string
  /** Says how to read it, and what is left out. */
  note: string
  /** Kind of the points. */
  point: 'task' | 'entry'
  board: Board
  /** Path of the page. */
  path: string
}

/** A chart of the values in the page's table; nothing without a chart. */
export function TableChart({ chart, title, note, point, board, path }: TableChartProps) {
  if (!chart) return null
  const unit = `${chart.x.title}, ${chart.y.title.toLowerCase()}`
  const sample = countOf(chart.points.length, point)
  const source = { suite: board.suite, updated: latestOf(board.rows) }
  return (
    <div className={DRAWN}>
      <Section id="task-chart" title={title}>
        <p className="max-w-3xl text-muted">{note}</p>
        <FigureChart
          chart={chart}
          picture={{
            card: describeCard({ title, unit, sample, method: note, notes: [] }, source, path),
            name: safeFileName(path.slice(1)),
          }}
        />
      </Section>
    </div>
  )
}

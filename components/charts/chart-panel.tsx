'use client'

import dynamic from 'next/dynamic'
import { useQueryStates } from 'nuqs'
import { type ReactNode, useRef } from 'react'
import { boardViewParsers, CHARTS, type ChartName } from '#components/board/board-view.ts'
import type { TableRow } from '#components/board/table-row.ts'
import { Section } from '#components/ui/section.tsx'
import { costPoints, successPoints, timePoints } from './chart-points.ts'
import { useSeen } from './use-seen.ts'

const MOST_LINES = 40

const Loading = () => <p className="py-8 text-muted">Drawing the chart…</p>
const RangeChart = dynamic(() => import('./range-chart.tsx').then((m) => m.RangeChart), {
  ssr: false,
  loading: Loading,
})
const CostChart = dynamic(() => import('./cost-chart.tsx').then((m) => m.CostChart), {
  ssr: false,
  loading: Loading,
})

const WORDS: Record<ChartName, { tab: string; says: string }> = {
  success: {
    tab: 'Success',
    says: 'Success in per cent with its 95 % interval. Full marks are claims.',
  },
  time: {
    tab: 'Time',
    says: 'Seconds of solved episodes: the mark is the median, the line reaches to p95.',
  },
  cost: { tab: 'Cost', says: 'Cost per success in USD against success in per cent.' },
  tasks: { tab: 'Tasks', says: 'Solved of scored episodes, task by task.' },
}

type ChartPanelProps = { chart: ChartName; rows: readonly TableRow[]; matrix: ReactNode }

/** The rows in view as pictures, one at a time; the drawing code is loaded only here. */
export function ChartPanel({ chart, rows, matrix }: ChartPanelProps) {
  const [, setView] = useQueryStates(
    { chart: boardViewParsers.chart },
    { history: 'push', shallow: false },
  )
  const picture = useRef<HTMLDivElement>(null)
  const seen = useSeen(picture)
  return (
    <Section
      aside={
        <span className="flex gap-1">
          {CHARTS.map((name) => (
            <button
              aria-pressed={name === chart}
              className="rounded px-2 py-1 text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:text-ink"
              key={name}
              onClick={() => void setView({ chart: name }, { scroll: false })}
              type="button"
            >
              {WORDS[name].tab}
            </button>
          ))}
        </span>
      }
      id="charts"
      title="Charts"
    >
      <p className="mb-2 text-muted">{WORDS[chart].says}</p>
      <div className="min-h-40" ref={picture}>
        {seen || chart === 'tasks' ? (
          <Picture chart={chart} matrix={matrix} rows={rows} />
        ) : (
          <Loading />
        )}
      </div>
    </Section>
  )
}

function Picture({ chart, rows, matrix }: ChartPanelProps) {
  if (chart === 'tasks') return matrix
  if (chart === 'cost') {
    const points = costPoints(rows)
    return points.length > 0 ? <CostChart points={points} /> : <Nothing what="cost" />
  }
  const points = chart === 'success' ? successPoints(rows) : timePoints(rows)
  if (points.length === 0)
    return <Nothing what={chart === 'success' ? 'success rate' : 'time of a solved episode'} />
  return (
    <>
      <RangeChart
        label={WORDS[chart].says}
        points={points.slice(0, MOST_LINES)}
        {...(chart === 'success' ? { most: 100, unit: '%' } : { unit: 's' })}
      />
      {points.length > MOST_LINES ? (
        <p className="mt-2 text-muted">
          The first {MOST_LINES} of {points.length} rows are drawn; filter to see others.
        </p>
      ) : null}
    </>
  )
}

function Nothing({ what }: { what: string }) {
  return (
    <p className="border-line border-y py-6 text-base text-muted">
      No row in view has a {what} yet.
    </p>
  )
}

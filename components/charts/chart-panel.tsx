'use client'

import dynamic from 'next/dynamic'
import { useQueryStates } from 'nuqs'
import { type ReactNode, useRef } from 'react'
import type { TableRow } from '#components/board/board-view.ts'
import { boardViewParsers, CHARTS, type ChartName } from '#components/board/board-view.ts'
import { downloadBlob } from '#components/ui/download.ts'
import { Section } from '#components/ui/layout.tsx'
import { useWasVisible } from './chart-parts.tsx'
import { costPoints, successPoints, timePoints } from './chart-points.ts'

const MOST_LINES = 40

const Loading = () => <p className="py-8 text-muted">Loading chart…</p>
const RangeChart = dynamic(() => import('./charts.tsx').then((m) => m.RangeChart), {
  ssr: false,
  loading: Loading,
})
const CostChart = dynamic(() => import('./charts.tsx').then((m) => m.CostChart), {
  ssr: false,
  loading: Loading,
})

const WORDS: Record<ChartName, { tab: string; says: string }> = {
  success: {
    tab: 'Success',
    says: 'Success rate in percent with 95 % confidence intervals. Filled markers are ranked results.',
  },
  time: {
    tab: 'Time',
    says: 'Time of solved episodes in seconds: marker at the median, line to the 95th percentile.',
  },
  cost: {
    tab: 'Cost',
    says: 'Cost per success in USD against success rate in percent. Line: Pareto frontier of the ranked results.',
  },
  tasks: { tab: 'Tasks', says: 'Solved of scored episodes per task.' },
}

type ChartPanelProps = {
  suiteId: string
  chart: ChartName
  rows: readonly TableRow[]
  matrix: ReactNode
}

/** Charts of the rows in view, one at a time; the chart library is loaded on demand. */
export function ChartPanel({ suiteId, chart, rows, matrix }: ChartPanelProps) {
  const [, setView] = useQueryStates(
    { chart: boardViewParsers.chart },
    { history: 'push', shallow: false },
  )
  const picture = useRef<HTMLDivElement>(null)
  const seen = useWasVisible(picture)
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
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="text-muted">{WORDS[chart].says}</p>
        {chart === 'tasks' ? null : (
          <button
            className="link"
            onClick={() => void save(picture.current, `${suiteId}-${chart}.png`, WORDS[chart].says)}
            type="button"
          >
            Save as PNG
          </button>
        )}
      </div>
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

/** Loads the export code on demand; does nothing while the chart is still loading. */
async function save(box: HTMLElement | null, name: string, title: string): Promise<void> {
  const svg = box?.querySelector<SVGSVGElement>('svg.recharts-surface')
  if (!svg) return
  const { drawPng } = await import('./draw-png.ts')
  const blob = await drawPng(svg, title)
  if (blob) downloadBlob(name, blob)
}

function Picture({ chart, rows, matrix }: Omit<ChartPanelProps, 'suiteId'>) {
  if (chart === 'tasks') return matrix
  if (chart === 'cost') {
    const points = costPoints(rows)
    return points.length > 0 ? <CostChart points={points} /> : <Nothing what="cost" />
  }
  const points = chart === 'success' ? successPoints(rows) : timePoints(rows)
  if (points.length === 0)
    return <Nothing what={chart === 'success' ? 'success rate' : 'solved episode'} />
  return (
    <>
      <RangeChart
        label={WORDS[chart].says}
        points={points.slice(0, MOST_LINES)}
        {...(chart === 'success' ? { most: 100, unit: '%' } : { unit: 's' })}
      />
      {points.length > MOST_LINES ? (
        <p className="mt-2 text-muted">
          Showing the first {MOST_LINES} of {points.length} entries. Filter to see others.
        </p>
      ) : null}
    </>
  )
}

function Nothing({ what }: { what: string }) {
  return (
    <p className="border-line border-y py-6 text-base text-muted">
      No entry in view has a {what} yet.
    </p>
  )
}

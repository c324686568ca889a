'use client'

import dynamic from 'next/dynamic'
import { useRef } from 'react'
import { useWasVisible } from '#components/charts/chart-parts.tsx'
import type { ReportChartData } from '../charts/chart-points.ts'

const MOST_LINES = 40

const Loading = () => <p className="py-8 text-muted">Loading chart…</p>
const RangeChart = dynamic(
  () => import('#components/charts/charts.tsx').then((m) => m.RangeChart),
  { ssr: false, loading: Loading },
)
const CostChart = dynamic(() => import('#components/charts/charts.tsx').then((m) => m.CostChart), {
  ssr: false,
  loading: Loading,
})

/** A report's figures as a picture; the drawing code is loaded when it comes into view. */
export function ReportChart({ picture }: { picture: ReportChartData }) {
  const frame = useRef<HTMLDivElement>(null)
  const seen = useWasVisible(frame)
  const left = picture.points.length - MOST_LINES
  return (
    <div className="min-h-40" ref={frame}>
      {seen ? <Drawn picture={picture} /> : <Loading />}
      {picture.kind === 'range' && left > 0 ? (
        <p className="mt-2 text-muted">
          Showing the first {MOST_LINES} of {picture.points.length} entries.
        </p>
      ) : null}
    </div>
  )
}

function Drawn({ picture }: { picture: ReportChartData }) {
  if (picture.kind === 'scatter') return <CostChart points={picture.points} unit={picture.unit} />
  const { says, unit, most, points } = picture
  return (
    <RangeChart
      label={says}
      points={points.slice(0, MOST_LINES)}
      unit={unit}
      {...(most === undefined ? {} : { most })}
    />
  )
}

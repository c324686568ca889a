import type { ReactNode } from 'react'
import type { Chart } from './chart.ts'
import { LiveChart, type LiveChartProps } from './live-chart.tsx'

type FigureChartProps = Omit<LiveChartProps, 'packed'> & { chart: Chart }

/** A chart that the browser draws. */
export function FigureChart({ chart, ...rest }: FigureChartProps): ReactNode {
  return <LiveChart {...rest} packed={JSON.stringify(chart)} />
}

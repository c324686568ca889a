import type { ReactNode } from 'react'
import type { Chart } from './chart.ts'
import { LiveChart, type LiveChartProps } from './live-chart.tsx'

type FigureChartProps = Omit<LiveChartProps, 'packed'> & { chart: Chart }

/** Class of what only a drawn chart explains: hidden without scripts, and on paper where it is not drawn. */
export const DRAWN = 'scripted print:has-[[data-drawn=false]]:hidden'

/** A chart that the browser draws. */
export function FigureChart({ chart, ...rest }: FigureChartProps): ReactNode {
  return <LiveChart {...rest} packed={JSON.stringify(chart)} />
}

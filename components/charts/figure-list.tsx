import type { ReactNode } from 'react'
import { EVERY_BAND } from './build-figure.ts'
import type { ChartQuery } from './chart-address.ts'
import type { Figure } from './figure.ts'
import { type ChartSource, FigureView } from './figure-view.tsx'

type FigureListProps = {
  figures: readonly { chart: ChartQuery['chart']; figure: Figure | null }[]
  query: Pick<ChartQuery, 'suite' | 'version'>
  source: ChartSource
  entries: readonly { id: string }[]
  /** Content before the charts. */
  children?: ReactNode
}

/** Charts of entries of any band, in two columns if they fit; charts without data are omitted. */
export function FigureList({ figures, query, source, entries, children }: FigureListProps) {
  const request = { ...query, band: EVERY_BAND, entries: entries.map(({ id }) => id).join() }
  return (
    <div className="grid gap-x-10 gap-y-4 xl:grid-cols-2">
      {children}
      {figures.map(({ chart, figure }) =>
        figure ? (
          <FigureView
            figure={figure}
            isStacked
            key={chart}
            query={{ ...request, chart }}
            source={source}
          />
        ) : null,
      )}
    </div>
  )
}

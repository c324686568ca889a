import { EVERY_BAND } from './build-figure.ts'
import type { ChartQuery } from './chart-address.ts'
import type { Figure } from './figure.ts'
import { FigureView } from './figure-view.tsx'

type FigureListProps = {
  figures: readonly { chart: ChartQuery['chart']; figure: Figure | null }[]
  query: Pick<ChartQuery, 'suite' | 'version'>
  entries: readonly { id: string }[]
}

/** Charts of these entries, of whatever band, below each other; those that have nothing to draw are left out. */
export function FigureList({ figures, query, entries }: FigureListProps) {
  return figures.map(({ chart, figure }) =>
    figure ? (
      <FigureView
        figure={figure}
        hasTable
        key={chart}
        query={{ ...query, chart, band: EVERY_BAND, entries: entries.map(({ id }) => id).join() }}
      />
    ) : null,
  )
}

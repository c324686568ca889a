import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { Chart } from '#components/charts/chart.ts'
import { ChartDrawing } from '#components/charts/chart-drawing.tsx'
import { ChartLegend } from '#components/charts/chart-legend.tsx'
import type { Zoom } from '#components/charts/chart-scale.ts'
import { GALLERY_COUNTS, galleryCharts } from './chart-gallery.ts'

/** Draws every chart of the gallery into the current page. */
function Gallery() {
  return GALLERY_COUNTS.flatMap((count) =>
    galleryCharts(count).map(({ name, chart }) =>
      chart ? <Drawn chart={chart} key={`${name}-${count}`} name={`${name}-${count}`} /> : null,
    ),
  )
}

function Drawn({ chart, name }: { chart: Chart; name: string }) {
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const [focused, setFocused] = useState<number | null>(null)
  const [zoom, setZoom] = useState<Zoom | null>(null)
  return (
    <section className="mb-6" data-gallery={name}>
      <h2>{name}</h2>
      {chart.hasNoLegend ? null : (
        <ChartLegend chart={chart} hidden={hidden} onFocus={setFocused} onHide={setHidden} />
      )}
      <div style={{ height: Math.max(chart.height.wide, chart.height.narrow) }}>
        <ChartDrawing
          chart={chart}
          focused={focused}
          hidden={hidden}
          onZoom={setZoom}
          zoom={zoom}
        />
      </div>
    </section>
  )
}

const root = document.createElement('main')
document.body.replaceChildren(root)
createRoot(root).render(<Gallery />)

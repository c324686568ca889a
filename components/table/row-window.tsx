import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { rowHeights } from './row-heights.ts'

/** Until rows are measured. */
const ROW_HEIGHT = 40

/** The rows near the viewport, and the height of those before and after them. */
export type RowRange = { start: number; end: number; spaces: { before: number; after: number } }

export type RowWindowProps = {
  count: number
  /** Contains the table. */
  frame: RefObject<HTMLElement | null>
  onChange: (range: RowRange) => void
}

/** Renders nothing, and reports which rows of a long table are near the viewport. */
export function RowWindow({ count, frame, onChange }: RowWindowProps) {
  const scrollMargin = useTop(frame)
  /** Average of the rows that were measured last, at this width; cards are higher than lines. */
  const usual = useRef({ width: 0, height: ROW_HEIGHT })
  /** Index of the first rendered row. */
  const rendered = useRef(0)
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => usual.current.height,
    overscan: 20,
    scrollMargin,
    // Rows are measured while React commits.
    useFlushSync: false,
  })
  useLayoutEffect(() => {
    const width = frame.current?.clientWidth ?? 0
    const heights = rowHeights(frame.current?.querySelector('table') ?? null)
    if (heights.length > 0 && usual.current.width !== width) {
      const sum = heights.reduce((total, height) => total + height, 0)
      usual.current = { width, height: sum / heights.length }
      virtualizer.measure()
    }
    heights.forEach((height, place) => {
      virtualizer.resizeItem(rendered.current + place, height)
    })
  })
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const start = first?.index ?? 0
  const end = (last?.index ?? -1) + 1
  const before = (first?.start ?? 0) - scrollMargin
  const after = virtualizer.getTotalSize() - ((last?.end ?? 0) - scrollMargin)
  useLayoutEffect(() => {
    // Before the first measurement, no row is known to be near.
    if (end <= start) return
    rendered.current = start
    onChange({ start, end, spaces: { before, after } })
  }, [start, end, before, after, onChange])
  return null
}

/** Returns the distance of an element from the top of the page, also after what is above it has changed. */
function useTop(frame: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  // The frame may be mounted together with this component, after its layout effects.
  useEffect(() => {
    const measure = () => {
      if (frame.current) setTop(frame.current.getBoundingClientRect().top + window.scrollY)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [frame])
  return top
}

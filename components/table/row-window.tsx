import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

const ROW_HEIGHT = 40

/** The rows near the viewport, and the height of those before and after them. */
export type RowRange = { start: number; end: number; spaces: { before: number; after: number } }

type RowWindowProps = {
  count: number
  /** Contains the table. */
  frame: RefObject<HTMLElement | null>
  onChange: (range: RowRange) => void
}

/** Renders nothing, and reports which rows of a long table are near the viewport. */
export function RowWindow({ count, frame, onChange }: RowWindowProps) {
  const [scrollMargin, setScrollMargin] = useState(0)
  // The frame may be mounted together with this component, after its layout effects.
  useEffect(() => {
    if (frame.current) setScrollMargin(frame.current.getBoundingClientRect().top + window.scrollY)
  }, [frame])
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
    scrollMargin,
  })
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const start = first?.index ?? 0
  const end = (last?.index ?? -1) + 1
  const before = (first?.start ?? 0) - scrollMargin
  const after = virtualizer.getTotalSize() - ((last?.end ?? 0) - scrollMargin)
  useLayoutEffect(() => {
    // Before the first measurement, no row is known to be near.
    if (end > start) onChange({ start, end, spaces: { before, after } })
  }, [start, end, before, after, onChange])
  return null
}

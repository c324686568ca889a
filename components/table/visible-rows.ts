import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Longer tables render only the rows near the viewport. */
const MAX_DRAWN_ROWS = 200

const ROW_HEIGHT = 40

type VisibleRows = {
  start: number
  end: number
  spaces: { before: number; after: number } | undefined
}

/**
 * Returns which of `count` rows are rendered, and the height of those before and after them; `frame` contains the
 * table.
 */
export function useVisibleRows(count: number, frame: RefObject<HTMLElement | null>): VisibleRows {
  const isLong = count > MAX_DRAWN_ROWS
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    if (isLong && frame.current)
      setScrollMargin(frame.current.getBoundingClientRect().top + window.scrollY)
  }, [isLong, frame])
  const virtualizer = useWindowVirtualizer({
    count,
    enabled: isLong,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
    scrollMargin,
  })
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  if (!isLong) return { start: 0, end: count, spaces: undefined }
  // Before the first measurement, as on the server.
  if (!first || !last) return { start: 0, end: MAX_DRAWN_ROWS, spaces: undefined }
  return {
    start: first.index,
    end: last.index + 1,
    spaces: {
      before: first.start - scrollMargin,
      after: virtualizer.getTotalSize() - (last.end - scrollMargin),
    },
  }
}

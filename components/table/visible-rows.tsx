import dynamic from 'next/dynamic'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { RowRange, RowWindowProps } from './row-window.tsx'

/** Longer tables render only the rows near the viewport. */
const MAX_DRAWN_ROWS = 200
/** Rendered until the viewport is measured. */
const FIRST_ROWS = 60

/** Loaded only for a long table, since it is as large as all other code of tables that a page loads. */
const RowWindow = dynamic(
  () =>
    import('./row-window.tsx').then(
      (loaded) => loaded.RowWindow,
      () => WholeTable,
    ),
  { ssr: false },
)

/** In place of a window whose script could not be loaded: all rows are rendered. */
function WholeTable({ count, onChange }: RowWindowProps) {
  useEffect(() => onChange({ start: 0, end: count, spaces: NO_SPACES }), [count, onChange])
  return null
}

const NO_SPACES = { before: 0, after: 0 }

type VisibleRows = Pick<RowRange, 'start' | 'end'> & {
  spaces: RowRange['spaces'] | undefined
  /** Has to be in the page: it observes the viewport. */
  observer: ReactNode
}

/**
 * Returns which of `count` rows are rendered, and the height of those before and after them; `frame` contains the
 * table.
 */
export function useVisibleRows(count: number, frame: RefObject<HTMLElement | null>): VisibleRows {
  const [range, setRange] = useState<RowRange | null>(null)
  if (count <= MAX_DRAWN_ROWS) return { start: 0, end: count, spaces: undefined, observer: null }
  const observer = <RowWindow count={count} frame={frame} onChange={setRange} />
  const first = { start: 0, end: FIRST_ROWS, spaces: undefined }
  return { ...(range ?? first), observer }
}

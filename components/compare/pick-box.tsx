'use client'

import { visibleText } from '#components/format/visible-text.ts'
import { usePicks } from './use-picks.ts'

/** Chooses a row of the board for a comparison. */
export function PickBox({ rowId, name }: { rowId: string; name: string }) {
  const { picks, toggle } = usePicks()
  return (
    <input
      aria-label={`Choose ${visibleText(name)} for a comparison`}
      checked={picks.includes(rowId)}
      className="block size-4 accent-[var(--accent)]"
      onChange={() => toggle(rowId)}
      title="Choose for a comparison (c)"
      type="checkbox"
    />
  )
}

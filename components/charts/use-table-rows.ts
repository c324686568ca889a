import { useEffect, useState } from 'react'

/** Marks the rows of a table that belong to `active`, and returns the id of the row under the pointer; null = none. */
export function useTableRows(active: string | null): string | null {
  const [hovered, setHovered] = useState<string | null>(null)
  useEffect(() => {
    const follow = ({ target }: Event) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null
      setHovered(row?.dataset.row ?? null)
    }
    document.addEventListener('pointerover', follow)
    document.addEventListener('focusin', follow)
    return () => {
      document.removeEventListener('pointerover', follow)
      document.removeEventListener('focusin', follow)
    }
  }, [])
  useEffect(() => {
    if (active === null) return
    const rows = document.querySelectorAll<HTMLElement>(`tr[data-row="${CSS.escape(active)}"]`)
    for (const row of rows) row.dataset.lit = ''
    return () => {
      for (const row of rows) delete row.dataset.lit
    }
  }, [active])
  return hovered
}

'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { arrowTarget } from './arrow-target.ts'

/** Lets the arrow keys walk the links and buttons of the rows inside it; a row is marked with `data-row`. */
export function ArrowKeys({ children, className }: { children: ReactNode; className?: string }) {
  const frame = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = frame.current
    const walk = (event: KeyboardEvent) => {
      if (!element || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const from = event.target as HTMLElement
      const rows = [...element.querySelectorAll<HTMLElement>('[data-row]')].map(stops)
      const position = place(rows, from)
      const target =
        position &&
        arrowTarget(
          event.key,
          position,
          rows.map(({ length }) => length),
        )
      if (!target) return
      event.preventDefault()
      rows[target.row]?.[target.stop]?.focus()
    }
    element?.addEventListener('keydown', walk)
    return () => element?.removeEventListener('keydown', walk)
  }, [])

  return (
    <div className={className} ref={frame}>
      {children}
    </div>
  )
}

function stops(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a[href], button, input[type="checkbox"]')]
}

function place(rows: HTMLElement[][], from: HTMLElement) {
  const row = rows.findIndex((row) => row.includes(from))
  return row === -1 ? null : { row, stop: rows[row]?.indexOf(from) ?? 0 }
}

'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'

type MenuProps = { label: string; icon: ReactNode; children: ReactNode }

/**
 * A button that opens a menu below it, on a phone as wide as its toolbar; Escape, a click outside or loss of focus
 * closes it.
 */
export function Menu({ label, icon, children }: MenuProps) {
  const [open, setOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!open) return
    const leave = (event: Event) => {
      if (!frame.current?.contains(event.target as Node)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      frame.current?.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
      document.removeEventListener('keydown', onKey)
    }
  }, [open])

  return (
    <div className="scripted sm:relative" data-menu ref={frame}>
      <Button aria-expanded={open} onClick={() => setOpen(!open)}>
        {icon}
        {label}
      </Button>
      {open ? (
        <div className="absolute inset-x-0 z-20 mt-1 grid min-w-40 gap-2 rounded border border-line-strong bg-surface p-3 sm:top-full sm:left-auto">
          {children}
        </div>
      ) : null}
    </div>
  )
}

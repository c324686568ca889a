'use client'

import { Check, Copy } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState, useTransition } from 'react'
import { Button } from './button.tsx'
import { arrowTarget } from './keyboard.ts'

type CopyButtonProps = { text: string; label: string }

/** Copies a text and confirms it, or reports that the browser refused. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  const copy = async () => {
    const copied = await writeClipboard(text)
    setState(copied ? 'copied' : 'refused')
    setTimeout(() => setState('idle'), 2000)
  }
  const word = { idle: label, copied: 'Copied', refused: 'Copy failed. Copy it manually.' }[state]
  return (
    <Button onClick={() => void copy()}>
      {state === 'copied' ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
      <span aria-live="polite">{word}</span>
    </Button>
  )
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

type MenuProps = { label: string; icon: ReactNode; children: ReactNode }

/** A button that opens a menu below it; Escape, a click outside or loss of focus closes it. */
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
    <div className="relative" ref={frame}>
      <Button aria-expanded={open} onClick={() => setOpen(!open)}>
        {icon}
        {label}
      </Button>
      {open ? (
        <div className="absolute top-full left-0 z-20 mt-1 grid min-w-40 gap-2 rounded border border-line-strong bg-surface p-3 sm:right-0 sm:left-auto">
          {children}
        </div>
      ) : null}
    </div>
  )
}

/** Arrow-key navigation between links and buttons of the rows inside; a row is marked with `data-row`. */
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

const INTERVAL_MS = 1500
/** The board is updated shortly after the last episode, so it is refreshed a few more times. */
const LAST_LOOKS = 3

/** Refreshes the page while something runs: one request at a time, never in a hidden tab. */
export function LiveRefresh({ active }: { active: boolean }) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const looks = useRef(0)

  useEffect(() => {
    if (active) looks.current = LAST_LOOKS
    const refresh = () => {
      if (document.visibilityState !== 'visible') return
      looks.current -= 1
      startTransition(() => router.refresh())
    }
    const timer = looks.current > 0 && !pending ? setTimeout(refresh, INTERVAL_MS) : undefined
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [active, pending, router])

  return null
}

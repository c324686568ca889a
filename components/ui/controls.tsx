import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Check, Copy } from './icons.tsx'

// Markup whose behaviour is that of every page: behaviour/start.ts.

type CopyButtonProps = {
  text: string
  label: string
  /** What stands in the text for this site's address, which only the browser knows for certain. */
  origin?: string
}

/** Copies a text and confirms it, or reports that the browser refused. */
export function CopyButton({ text, label, origin }: CopyButtonProps) {
  return (
    <Button className="group" data-copy={text} data-origin={origin}>
      <Copy aria-hidden className="group-data-done:hidden" size={14} />
      <Check aria-hidden className="hidden group-data-done:block" size={14} />
      <span aria-live="polite" data-label>
        {label}
      </span>
    </Button>
  )
}

/** Arrow-key navigation between links and buttons of the rows inside; a row is marked with `data-row`. */
export function ArrowKeys({ children }: { children: ReactNode }) {
  return <div data-arrow-keys>{children}</div>
}

import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Check, Copy } from './icons.tsx'

// Markup for the behaviour of every page in behaviour/start.ts.

type CopyButtonProps = {
  text: string
  label: string
  /** Placeholder in the text for this site's address, which only the browser knows. */
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

/** Arrow-key navigation between links and buttons of rows, which are marked with `data-row`. */
export function ArrowKeys({ children }: { children: ReactNode }) {
  return <div data-arrow-keys>{children}</div>
}

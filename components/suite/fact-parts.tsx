import type { ReactNode } from 'react'
import { visibleText } from '../ui/format.ts'

/** Untrusted text in a fixed-width font. */
export function Code({ text }: { text: string }) {
  return <code className="untrusted break-words text-xs">{visibleText(text)}</code>
}

/** A list with lines between its items, which never change. */
export function TextList({ items }: { items: readonly ReactNode[] }) {
  return (
    <ul className="border-line border-b">
      {items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items may be equal, and never change.
        <li className="untrusted border-line border-t py-1.5" key={place}>
          {item}
        </li>
      ))}
    </ul>
  )
}

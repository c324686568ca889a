import { Fragment } from 'react'

/** A text in which `_{…}` stands below and `^{…}` above the line. */
export function MarkedText({ children }: { children: string }) {
  const parts = children.split(/([_^]\{[^}]*\})/)
  let at = 0
  return parts.map((part) => {
    const key = `${at}`
    at += part.length
    if (part.startsWith('_{')) return <sub key={key}>{part.slice(2, -1)}</sub>
    if (part.startsWith('^{')) return <sup key={key}>{part.slice(2, -1)}</sup>
    return <Fragment key={key}>{part}</Fragment>
  })
}

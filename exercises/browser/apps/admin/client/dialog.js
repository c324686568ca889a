import { html } from 'htm/preact'
import { useEffect, useRef } from 'preact/hooks'

/** A real modal dialog that is open as long as it is drawn. */
export function Dialog({ label, onClose, children }) {
  const element = useRef(null)
  useEffect(() => {
    if (!element.current.open) element.current.showModal()
  }, [])
  return html`<dialog ref=${element} aria-label=${label} onCancel=${onClose}>${children}</dialog>`
}

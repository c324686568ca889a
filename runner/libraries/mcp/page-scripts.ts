import type { Target } from '../action-surface.ts'

/** Returns the visible text of an element, or the value of a field; run in the page by a server's own evaluate tool. */
export const READ = `(element) => {
  const field = element.matches('input, textarea, select, output') && element.type !== 'submit' && element.type !== 'button'
  const text = element.tagName === 'OUTPUT' ? element.textContent : field ? element.value : element.innerText ?? element.textContent
  return (text ?? '').replace(/\\s+/g, ' ').trim()
}`

/** Focuses an element, so that it receives keys. */
export const FOCUS = '(element) => { element.focus(); return true }'

/** For an element without a name: its text as READ returns it, or null if it is not visible. */
export function readByCss({ css, frame }: Target): string {
  const place =
    frame === undefined
      ? 'document'
      : `document.querySelector(${JSON.stringify(frame)})?.contentDocument`
  return `() => {
  const element = ${place}?.querySelector(${JSON.stringify(css)})
  if (!element?.checkVisibility({ visibilityProperty: true })) return null
  return (${READ})(element)
}`
}

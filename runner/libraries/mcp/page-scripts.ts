import type { Target } from '../action-surface.ts'

/** The visible text of an element, of a field its value; run in the page by a server's own evaluate tool. */
export const READ = `(element) => {
  const field = element.matches('input, textarea, select, output') && element.type !== 'submit' && element.type !== 'button'
  const text = element.tagName === 'OUTPUT' ? element.textContent : field ? element.value : element.innerText ?? element.textContent
  return (text ?? '').replace(/\\s+/g, ' ').trim()
}`

/** Puts the focus on an element, so that it receives keys. */
export const FOCUS = '(element) => { element.focus(); return true }'

/** For an element that has no name: its text as READ gives it, or null when it cannot be seen. */
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

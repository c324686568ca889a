const SHOWN_MS = 2000
const labels = new WeakMap<Text, { label: string; timer: number }>()

/** Shows a message in place of a button's label (`data-label`) for a moment. */
export function announce(button: HTMLElement, message: string): void {
  const text = button.querySelector('[data-label]')?.firstChild
  if (!(text instanceof Text)) return
  const before = labels.get(text)
  clearTimeout(before?.timer)
  const label = before?.label ?? text.data
  // The text itself, not a new one in its place: React may know it.
  text.data = message
  const timer = window.setTimeout(() => {
    labels.delete(text)
    button.removeAttribute('data-done')
    if (text.data === message) text.data = label
  }, SHOWN_MS)
  labels.set(text, { label, timer })
}

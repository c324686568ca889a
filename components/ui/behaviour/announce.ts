const SHOWN_MS = 2000
const labels = new WeakMap<Text, { label: string; timer: number }>()

/** Briefly shows a message instead of a button's label (`data-label`). */
export function announce(button: HTMLElement, message: string): void {
  const text = button.querySelector('[data-label]')?.firstChild
  if (!(text instanceof Text)) return
  const before = labels.get(text)
  clearTimeout(before?.timer)
  const label = before?.label ?? text.data
  // Changes the text node and keeps it, because React may reference it.
  text.data = message
  const timer = window.setTimeout(() => {
    labels.delete(text)
    button.removeAttribute('data-done')
    if (text.data === message) text.data = label
  }, SHOWN_MS)
  labels.set(text, { label, timer })
}

/**
 * Copies a button's `data-copy` and confirms it, or reports that the browser refused. A `data-origin` placeholder in
 * the text is replaced by the address of this site.
 */
export async function copyText(button: HTMLElement): Promise<void> {
  const { copy = '', origin } = button.dataset
  const text = origin === undefined ? copy : copy.replaceAll(origin, location.origin)
  const isCopied = await write(text)
  button.toggleAttribute('data-done', isCopied)
  announce(button, isCopied ? 'Copied' : 'Copy failed. Copy it manually.')
}

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

const SHOWN_MS = 2000
const labels = new WeakMap<Text, { label: string; timer: number }>()

/** Briefly shows a message instead of a button's label (`data-label`). */
function announce(button: HTMLElement, message: string): void {
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

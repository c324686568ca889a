import { announce } from './announce.ts'

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

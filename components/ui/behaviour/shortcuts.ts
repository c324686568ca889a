import { isTyping } from '../keyboard.ts'

/** `?` shows the keyboard shortcuts, `/` focuses the search field; true = the key was handled. */
export function openShortcuts({ key, target }: KeyboardEvent): boolean {
  if (isTyping(target)) return false
  if (key === '?') showShortcuts()
  return key === '/' && focusSearch()
}

/** Opens the dialog with the keyboard shortcuts. */
export function showShortcuts(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog[data-keys]')
  if (dialog && !dialog.open) dialog.showModal()
}

/** Returns false if the page has no search field. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('input[data-search]')
  search?.focus()
  search?.select()
  return search !== null
}

/**
 * Moves the focus to the last matching element, before the focused button disappears: otherwise keyboard navigation
 * would restart at the top of the page.
 */
export function handFocusTo(selector: string): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)]
  found.at(-1)?.focus({ preventScroll: true })
}

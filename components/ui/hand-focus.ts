/**
 * Gives the focus to the last element that matches, before the button that has it goes by its own press: the keyboard would
 * begin at the top of the page again.
 */
export function handFocusTo(selector: string): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)]
  found.at(-1)?.focus({ preventScroll: true })
}

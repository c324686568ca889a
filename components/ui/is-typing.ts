const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), textarea, select, dialog'

/** Whether a key pressed here belongs to a field or a dialog, so that shortcuts leave it alone. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(TYPED_INTO) !== null
}

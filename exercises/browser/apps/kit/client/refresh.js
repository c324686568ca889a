// Draws every control of the page anew for a while: what was looked up before is gone, words and focus stay.
;(() => {
  const FOR_MS = 1800
  const EVERY_MS = 100
  const CONTROLS = 'a[href], button, input, select, textarea'

  const begin = () => {
    const end = performance.now() + FOR_MS
    const timer = setInterval(() => {
      if (performance.now() > end) return clearInterval(timer)
      for (const control of document.querySelectorAll(CONTROLS)) {
        if (!control.closest('[data-mounted]')) replace(control)
      }
      document.dispatchEvent(new Event('kit:refresh'))
    }, EVERY_MS)
  }

  const replace = (control) => {
    const isFocused = document.activeElement === control
    const copy = control.cloneNode(true)
    if ('value' in control && control.type !== 'file') copy.value = control.value
    if ('checked' in control) copy.checked = control.checked
    if (control.type === 'file') copy.files = control.files
    const range = isFocused && rangeOf(control)
    control.replaceWith(copy)
    if (isFocused) copy.focus()
    if (range) copy.setSelectionRange(...range)
  }

  // Only text fields have a selection; others throw or answer null.
  const rangeOf = (control) => {
    try {
      return control.selectionStart === null || control.selectionStart === undefined
        ? null
        : [control.selectionStart, control.selectionEnd]
    } catch {
      return null
    }
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin)
  else begin()
})()

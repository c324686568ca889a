const STORED = 'theme'
const SYSTEM = '(prefers-color-scheme: dark)'
/**
 * In forced colours, the system determines the colours of text and background; charts are readable only in its own
 * theme.
 */
const FORCED = '(forced-colors: active)'

/** Applies the selected theme before the first paint, otherwise the system's, and follows changes of both. */
export function startTheme(): void {
  show()
  for (const query of [SYSTEM, FORCED]) window.matchMedia(query).addEventListener('change', show)
  // The theme may change in another tab, or on a later page before the user comes back.
  window.addEventListener('storage', show)
  window.addEventListener('pageshow', show)
}

/** Toggles between light and dark, and stores the selection. */
export function switchTheme(): void {
  const next = themeNow() === 'dark' ? 'light' : 'dark'
  try {
    localStorage.setItem(STORED, next)
  } catch {
    // Browsers may forbid storage; then the selection applies to this page only.
  }
  document.documentElement.dataset.theme = next
}

function show(): void {
  document.documentElement.dataset.theme = themeNow()
}

function themeNow(): 'light' | 'dark' {
  const stored = window.matchMedia(FORCED).matches ? null : readStored()
  if (stored === 'light' || stored === 'dark') return stored
  return window.matchMedia(SYSTEM).matches ? 'dark' : 'light'
}

function readStored(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}

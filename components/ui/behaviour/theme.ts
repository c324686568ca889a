const STORED = 'theme'
const SYSTEM = '(prefers-color-scheme: dark)'
/** The reader's system sets the colours of texts and grounds: only its own theme's charts can be read on them. */
const FORCED = '(forced-colors: active)'

/** Shows the chosen theme before the first paint, the system's until one is chosen, and follows both from then on. */
export function startTheme(): void {
  show()
  for (const query of [SYSTEM, FORCED]) window.matchMedia(query).addEventListener('change', show)
  // Chosen in another tab, or on a page after this one, to which the reader came back.
  window.addEventListener('storage', show)
  window.addEventListener('pageshow', show)
}

/** Changes between light and dark, and remembers the choice. */
export function switchTheme(): void {
  const next = themeNow() === 'dark' ? 'light' : 'dark'
  try {
    localStorage.setItem(STORED, next)
  } catch {
    // Browsers may forbid storage: then the choice is this page's alone.
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

import { walkRows } from './arrow-keys.ts'
import { watchClippedBoxes } from './clipped-boxes.ts'
import { copyText } from './copy.ts'
import { followEpisodeKeys } from './episode-keys.ts'
import { keepScroll } from './keep-scroll.ts'
import { openShortcuts, showShortcuts } from './shortcuts.ts'
import { switchTheme } from './theme.ts'

const CLICKS: Readonly<Record<string, (element: HTMLElement) => void>> = {
  '[data-theme-switch]': switchTheme,
  '[data-shortcuts]': showShortcuts,
  '[data-copy]': (element) => void copyText(element),
}
const KEYS = [walkRows, followEpisodeKeys, openShortcuts]

/**
 * Starts the keys and buttons of every page, on elements with data attributes. Listens on the window, so that it also
 * serves elements rendered later, and receives events after React. Returns a function that stops it.
 */
export function startBehaviour(): () => void {
  window.addEventListener('click', onClick)
  window.addEventListener('keydown', onKey)
  const stopWatching = watchClippedBoxes()
  return () => {
    stopWatching()
    window.removeEventListener('click', onClick)
    window.removeEventListener('keydown', onKey)
  }
}

function onClick(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return
  for (const [selector, act] of Object.entries(CLICKS)) {
    const element = event.target.closest<HTMLElement>(selector)
    if (element) act(element)
  }
  keepScroll(event)
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
  if (KEYS.some((act) => act(event))) event.preventDefault()
}

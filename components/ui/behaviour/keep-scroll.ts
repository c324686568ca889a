import { isPlainClick } from './plain-click.ts'

const STORED = 'kept-scroll'

/** Stores the scroll position before a link to another part of the same page (`data-keep-scroll`). */
export function keepScroll(event: MouseEvent): void {
  if (event.defaultPrevented || !isPlainClick(event)) return
  const link =
    event.target instanceof Element &&
    event.target.closest<HTMLAnchorElement>('a[data-keep-scroll]')
  if (!link) return
  const place: Place = { href: link.href, y: window.scrollY, id: link.id }
  store(JSON.stringify(place))
}

type Place = { href: string; y: number; id: string }

/** Restores the scroll position on the linked page, and focuses the link. */
export function restoreScroll(): void {
  const stored = isOtherPart() ? take() : null
  if (stored === null) return
  const { href, y, id }: Place = JSON.parse(stored)
  if (href !== location.href) return
  document.addEventListener('DOMContentLoaded', () => {
    if (id !== '') document.getElementById(id)?.focus({ preventScroll: true })
    window.scrollTo({ top: y, behavior: 'instant' })
  })
}

/** Returns whether a link of the same page led here, because opening the storage delays the first paint. */
function isOtherPart(): boolean {
  return (
    URL.canParse(document.referrer) && new URL(document.referrer).pathname === location.pathname
  )
}

function store(place: string): void {
  try {
    sessionStorage.setItem(STORED, place)
  } catch {
    // Browsers may forbid storage; then the page starts at the top.
  }
}

function take(): string | null {
  try {
    const place = sessionStorage.getItem(STORED)
    sessionStorage.removeItem(STORED)
    return place
  } catch {
    return null
  }
}

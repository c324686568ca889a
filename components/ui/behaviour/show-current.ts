const ROWS = 'nav, [role="tablist"]'
const CURRENT = 'nav [aria-current], [role="tablist"] [aria-selected="true"]'

/** Scrolls the link or tab of the current page into view, in lists that scroll on a narrow screen. */
export function showCurrentLinks(): void {
  // In a frame, the layout that it reads is the one that is painted.
  document.addEventListener('DOMContentLoaded', () => requestAnimationFrame(show))
}

function show(): void {
  for (const link of document.querySelectorAll(CURRENT)) {
    const row = link.closest(ROWS)
    if (!row || row.scrollWidth <= row.clientWidth) continue
    const hidden = link.getBoundingClientRect().right - row.getBoundingClientRect().right
    if (hidden > 0) row.scrollLeft += hidden
  }
}

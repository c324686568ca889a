/** Shared by two bundles: the script in the head of a page, and React's. */
const page = globalThis as { earlyClicks?: HTMLElement[] }

/** Maximum of replayed clicks. */
const MAX_CLICKS = 20

/** Records clicks on buttons until React has hydrated the page. */
export function noteEarlyClicks(): void {
  page.earlyClicks = []
  window.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest<HTMLElement>('button[type="button"]')
    const noted = page.earlyClicks
    if (button && noted && noted.length < MAX_CLICKS) noted.push(button)
  })
}

/** Returns the recorded clicks, oldest first, and stops recording. */
export function takeEarlyClicks(): HTMLElement[] {
  const noted = page.earlyClicks ?? []
  delete page.earlyClicks
  return noted
}

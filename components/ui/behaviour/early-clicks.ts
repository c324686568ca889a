/** Shared by two bundles: the script in the head of a page and that of React. */
const page = globalThis as { earlyClicks?: HTMLElement[] }

/** The most presses that are repeated. */
const MAX_CLICKS = 20

/** Records presses of buttons until React has taken over the page. */
export function noteEarlyClicks(): void {
  page.earlyClicks = []
  window.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest<HTMLElement>('button[type="button"]')
    const noted = page.earlyClicks
    if (button && noted && noted.length < MAX_CLICKS) noted.push(button)
  })
}

/** The buttons that were pressed before, oldest first; from now on none is noted. */
export function takeEarlyClicks(): HTMLElement[] {
  const noted = page.earlyClicks ?? []
  delete page.earlyClicks
  return noted
}

/** Two bundles share it: the script in the head of a page and that of React. */
const page = globalThis as { earlyClicks?: HTMLElement[] | 'over' }

/** The most presses that are repeated. */
const MOST = 20

/** Notes a press of a button that only React answers to, as long as React has not taken the page over. */
export function noteEarlyClick(target: Element): void {
  page.earlyClicks ??= []
  const button = target.closest<HTMLElement>('button[type="button"]')
  if (button && page.earlyClicks !== 'over' && page.earlyClicks.length < MOST)
    page.earlyClicks.push(button)
}

/** The buttons that were pressed before, oldest first; from now on none is noted. */
export function takeEarlyClicks(): HTMLElement[] {
  const noted = page.earlyClicks
  page.earlyClicks = 'over'
  return Array.isArray(noted) ? noted : []
}

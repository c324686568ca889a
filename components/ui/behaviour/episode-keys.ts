import { isTyping } from '../keyboard.ts'

/** Keys on an episode: j and k open failed episodes, arrows move between the tabs; true = the key was handled. */
export function followEpisodeKeys(event: KeyboardEvent): boolean {
  const { key, target } = event
  if (isTyping(target)) return false
  const link = LINKS[key]
  if (link !== undefined) return act(document.querySelector<HTMLElement>(link), 'click')
  const tab = target instanceof HTMLElement ? target.closest<HTMLElement>('[role="tab"]') : null
  if (!tab) return false
  if (key === ' ') return act(tab, 'click')
  return act(neighbourOf(tab, key), 'focus')
}

const LINKS: Record<string, string> = { j: 'a[data-failed="next"]', k: 'a[data-failed="previous"]' }

function act(element: HTMLElement | null, what: 'click' | 'focus'): boolean {
  element?.[what]()
  return element !== null
}

function neighbourOf(tab: HTMLElement, key: string): HTMLElement | null {
  const tabs = [...(tab.parentElement?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])]
  const at = tabs.indexOf(tab)
  const places: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: (at + 1) % tabs.length,
    Home: 0,
    End: -1,
  }
  const place = places[key]
  return place === undefined ? null : (tabs.at(place) ?? null)
}

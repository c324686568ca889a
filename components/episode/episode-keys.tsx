'use client'

import { useEffect } from 'react'
import { isTyping } from '../ui/keyboard.ts'

/** Keys of an episode's page: j and k follow the links to failed episodes, arrows move between the tabs. */
export function EpisodeKeys() {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      const target = targetOf(event)
      if (!target) return
      event.preventDefault()
      if (event.key === 'j' || event.key === 'k' || event.key === ' ') target.click()
      else target.focus()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return null
}

const LINKS: Record<string, string> = { j: 'a[data-failed="next"]', k: 'a[data-failed="previous"]' }

/** The link that a key leads to; null for a key of another component. */
function targetOf({ key, target }: KeyboardEvent): HTMLElement | null {
  const link = LINKS[key]
  if (link) return document.querySelector<HTMLElement>(link)
  const tab = target instanceof HTMLElement ? target.closest<HTMLElement>('[role="tab"]') : null
  if (!tab) return null
  if (key === ' ') return tab
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

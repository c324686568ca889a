import type { ReactNode } from 'react'
import { type EpisodeTab, type TabId, tabHref } from './episode-tabs.ts'

type TabBarProps = {
  episodeId: string
  tabs: readonly EpisodeTab[]
  chosen: TabId
  children: ReactNode
}

/** The tabs of an episode as links, which work without JavaScript, and the current panel. */
export function TabBar({ episodeId, tabs, chosen, children }: TabBarProps) {
  return (
    <>
      <div
        aria-label="Parts of the episode"
        className="mt-5 flex gap-1 overflow-x-auto border-line border-b"
        role="tablist"
      >
        {tabs.map(({ id, label }) => (
          <a
            aria-controls={id === chosen ? 'panel' : undefined}
            aria-selected={id === chosen}
            className="-mb-px whitespace-nowrap border-transparent border-b-2 px-3 py-2 text-muted hover:text-ink aria-selected:border-accent aria-selected:font-medium aria-selected:text-ink"
            href={tabHref(episodeId, id)}
            id={`tab-${id}`}
            key={id}
            role="tab"
            data-keep-scroll
          >
            {label}
          </a>
        ))}
      </div>
      <div aria-labelledby={`tab-${chosen}`} className="-mt-3" id="panel" role="tabpanel">
        {children}
      </div>
    </>
  )
}

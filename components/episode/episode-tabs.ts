import { createLoader, parseAsStringLiteral } from 'nuqs/server'
import type { EpisodeView } from '#lib/domain/api/index.ts'

const TAB_IDS = ['summary', 'transcript', 'steps', 'tests', 'diff', 'logs', 'environment'] as const
export type TabId = (typeof TAB_IDS)[number]
export type EpisodeTab = { id: TabId; label: string }

/** The tabs of an episode that have content. */
export function episodeTabs({
  episode,
  calls,
}: Pick<EpisodeView, 'episode' | 'calls'>): EpisodeTab[] {
  const { browser } = episode
  const isModelDriven = episode.subject.kind === 'agent' || calls !== null
  return [
    { id: 'summary', label: 'Summary' },
    ...(isModelDriven ? [{ id: 'transcript' as const, label: 'Transcript' }] : []),
    ...(browser ? [{ id: 'steps' as const, label: 'Steps' }] : []),
    { id: 'tests', label: browser ? 'Success criteria' : 'Tests' },
    ...(browser ? [] : [{ id: 'diff' as const, label: 'Diff' }]),
    { id: 'logs', label: 'Logs' },
    { id: 'environment', label: 'Environment' },
  ]
}

const loadTab = createLoader({
  tab: parseAsStringLiteral(TAB_IDS),
  log: parseAsStringLiteral(['subject', 'gate']),
})

/** The tab of a URL; older URLs of a log lead to the logs. */
export function chosenTab(
  search: Record<string, string | string[] | undefined>,
  tabs: readonly EpisodeTab[],
): TabId {
  const { tab, log } = loadTab(search)
  const requested = tab ?? (log === null ? 'summary' : 'logs')
  return tabs.some(({ id }) => id === requested) ? requested : 'summary'
}

/** The address of a tab. */
export function tabHref(episodeId: string, tab: TabId): string {
  return `/episodes/${episodeId}${tab === 'summary' ? '' : `?tab=${tab}`}`
}

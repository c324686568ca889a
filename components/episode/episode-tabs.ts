import { createLoader, parseAsStringLiteral } from 'nuqs/server'
import type { EpisodeView } from '#lib/domain/api/index.ts'

const TAB_IDS = ['summary', 'steps', 'tests', 'diff', 'logs', 'environment'] as const
export type TabId = (typeof TAB_IDS)[number]
export type EpisodeTab = { id: TabId; label: string }

/** The tabs of an episode that have something to show. */
export function episodeTabs({
  episode,
  calls,
}: Pick<EpisodeView, 'episode' | 'calls'>): EpisodeTab[] {
  const { browser } = episode
  const hasSteps = Boolean(browser) || episode.subject.kind === 'agent' || calls !== null
  return [
    { id: 'summary', label: 'Summary' },
    ...(hasSteps ? [{ id: 'steps' as const, label: browser ? 'Steps' : 'Model calls' }] : []),
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

/** The tab of an address; an address of a log from before there were tabs leads to the logs. */
export function chosenTab(
  search: Record<string, string | string[] | undefined>,
  tabs: readonly EpisodeTab[],
): TabId {
  const { tab, log } = loadTab(search)
  const asked = tab ?? (log === null ? 'summary' : 'logs')
  return tabs.some(({ id }) => id === asked) ? asked : 'summary'
}

/** The address of a tab. */
export function tabHref(episodeId: string, tab: TabId): string {
  return `/episodes/${episodeId}${tab === 'summary' ? '' : `?tab=${tab}`}`
}

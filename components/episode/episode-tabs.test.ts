import { expect, it } from 'vitest'
import { sampleBrowser, sampleEpisode } from '#lib/testing/factories/samples.ts'
import { chosenTab, episodeTabs, tabHref } from './episode-tabs.ts'

const ids = (tabs: readonly { id: string }[]) => tabs.map(({ id }) => id).join(' ')

it('shows the tabs that an episode has', () => {
  const episode = sampleEpisode({})
  expect(ids(episodeTabs({ episode, calls: null }))).toBe('summary tests diff logs environment')
  expect(ids(episodeTabs({ episode, calls: [] }))).toBe(
    'summary transcript tests diff logs environment',
  )
  const agent = sampleEpisode({ subject: { ...episode.subject, kind: 'agent' } })
  expect(ids(episodeTabs({ episode: agent, calls: null }))).toContain('summary transcript tests')
  const browser = sampleEpisode({ browser: sampleBrowser() })
  expect(ids(episodeTabs({ episode: browser, calls: null }))).toBe(
    'summary steps tests logs environment',
  )
})

it('is chosen by the address; what an episode does not have is its summary', () => {
  const tabs = episodeTabs({ episode: sampleEpisode({}), calls: null })
  expect(chosenTab({}, tabs)).toBe('summary')
  expect(chosenTab({ tab: 'tests' }, tabs)).toBe('tests')
  expect(chosenTab({ tab: 'steps' }, tabs)).toBe('summary')
  expect(chosenTab({ tab: '<script>' }, tabs)).toBe('summary')
  expect(chosenTab({ log: 'gate', line: '7' }, tabs)).toBe('logs')
  expect(chosenTab({ tab: 'diff', log: 'gate' }, tabs)).toBe('diff')
  expect(tabHref('ep_1', 'summary')).toBe('/episodes/ep_1')
  expect(tabHref('ep_1', 'logs')).toBe('/episodes/ep_1?tab=logs')
})

import type { EpisodeView } from '#lib/domain/api/index.ts'
import { Section } from '../ui/layout.tsx'
import { BrowserFacts } from './browser-facts.tsx'
import { EpisodeDigests, EpisodeFacts } from './episode-facts.tsx'
import { EvidenceFiles } from './evidence-files.tsx'

/** What ran and where, and the files that prove it. */
export function EnvironmentPanel({ view }: { view: EpisodeView }) {
  const { episode, evaluatedHere, provenance, pruned } = view
  const { browser } = episode
  return (
    <>
      {browser ? (
        <Section id="browser" title="Library and browser">
          <BrowserFacts browser={browser} episode={episode} />
        </Section>
      ) : null}
      <Section id="facts" title="Details">
        <EpisodeFacts episode={episode} evaluatedHere={evaluatedHere} provenance={provenance} />
        <EpisodeDigests episode={episode} />
      </Section>
      <Section id="evidence" title="Evidence">
        <EvidenceFiles files={episode.evidence} pruned={pruned} />
      </Section>
    </>
  )
}

import type { EpisodeView } from '#lib/domain/api/index.ts'
import { type AnyEpisode, FILM_FILE, isMeasured } from '#lib/domain/record/index.ts'
import { Section } from '../ui/layout.tsx'
import { BrowserFacts } from './browser-facts.tsx'
import { SourceView } from './code-view.tsx'
import { ContractTree } from './contract-tree.tsx'
import { EpisodeDigests, EpisodeFacts } from './episode-facts.tsx'
import { EvidenceFiles, FinalPage, whereAbsent } from './evidence-files.tsx'
import { FilmstripView } from './filmstrip.tsx'
import { TestCommand } from './test-command.tsx'
import { TestsPanel } from './tests-panel.tsx'
import { StepTrace } from './timeline.tsx'

type EvidencePanelProps = { view: EpisodeView }

/** Screenshots of the final page and of each step. */
export function Screenshots({ view }: EvidencePanelProps) {
  const { episode, film, pruned } = view
  return (
    <Section id="final-page" title="Final page">
      <FinalPage
        episodeId={episode.episodeId}
        evidence={episode.evidence}
        pruned={pruned}
        absent={whereAbsent(view)}
      />
      {film ? (
        <div className="mt-4">
          <FilmstripView
            episodeId={episode.episodeId}
            film={film}
            pruned={pruned}
            absent={absentFilm(view)}
          />
        </div>
      ) : null}
    </Section>
  )
}

/** The library's actions, as screenshots and as a list. */
export function StepsPanel({ view }: EvidencePanelProps) {
  const { episode, film, pruned, trace } = view
  return (
    <>
      <Section id="film" title="Filmstrip">
        <FilmstripView
          episodeId={episode.episodeId}
          film={film}
          pruned={pruned}
          absent={absentFilm(view)}
        />
      </Section>
      <Section id="steps" title="Steps">
        <StepTrace isElsewhere={view.elsewhere !== null} trace={trace} />
      </Section>
    </>
  )
}

function absentFilm(view: EpisodeView): string | null {
  const isListed = view.episode.evidence.some(({ path }) => path === FILM_FILE)
  return isListed ? whereAbsent(view) : null
}

/** The success criteria, and the final state of the app that they were evaluated on. */
export function ContractPanel({ view: { episode, finalState } }: EvidencePanelProps) {
  return (
    <>
      <Section id="contract" title="Success criteria">
        <Contract episode={episode} />
      </Section>
      {episode.testCommand ? (
        <Section id="test-command" title="Test command">
          <TestCommand result={episode.testCommand} />
        </Section>
      ) : null}
      {episode.browser && finalState ? (
        <Section id="final-state" title="Final app state">
          <SourceView path="final-state.json" text={finalState} />
        </Section>
      ) : null}
    </>
  )
}

function Contract({ episode }: { episode: AnyEpisode }) {
  const { contract, browser } = episode
  if (contract) {
    return browser ? <ContractTree contract={contract} /> : <TestsPanel contract={contract} />
  }
  return (
    <p className="text-muted">
      {isMeasured(episode)
        ? 'The success criteria were not evaluated.'
        : 'Reported by another program, without success criteria.'}
    </p>
  )
}

/** Subject, environment and evidence files. */
export function EnvironmentPanel({ view }: EvidencePanelProps) {
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

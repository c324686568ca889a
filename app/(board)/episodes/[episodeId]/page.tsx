import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { cache } from 'react'
import { AttemptsList } from '#components/episode/attempts-list.tsx'
import { ContractTree } from '#components/episode/contract-tree.tsx'
import { DiffView } from '#components/episode/diff-view.tsx'
import { EpisodeFacts } from '#components/episode/episode-facts.tsx'
import { EvidenceFiles } from '#components/episode/evidence-files.tsx'
import { GatewayCalls } from '#components/episode/gateway-calls.tsx'
import { IntegrityFindings } from '#components/episode/integrity-findings.tsx'
import { LogSection } from '#components/episode/log-section.tsx'
import { loadLogView } from '#components/episode/log-view.ts'
import { OutcomeBanner } from '#components/episode/outcome-banner.tsx'
import { PhaseTimeline } from '#components/episode/phase-timeline.tsx'
import { SourceView } from '#components/episode/source-view.tsx'
import { visibleText } from '#components/format/visible-text.ts'
import { CorrectionBanner } from '#components/ledger/correction-banner.tsx'
import { Command } from '#components/ui/command.tsx'
import { PageHeading } from '#components/ui/page-heading.tsx'
import { Section } from '#components/ui/section.tsx'
import { getEpisode } from '#lib/episodes/get-episode.ts'
import { listCorrections } from '#lib/ledger/list-corrections.ts'
import { readLog } from '#lib/logs/read-log.ts'

export const dynamic = 'force-dynamic'

type EpisodePageProps = {
  params: Promise<{ episodeId: string }>
  searchParams: Promise<SearchParams>
}

const FIRST_RANGE_BYTES = 65_536

const readEpisode = cache(getEpisode)

export async function generateMetadata({ params }: EpisodePageProps): Promise<Metadata> {
  const view = await readEpisode((await params).episodeId)
  return { title: view ? `${view.taskTitle}, ${view.episode.outcome.status}` : 'Not found' }
}

/** One episode with everything that proves it. */
export default async function EpisodePage({ params, searchParams }: EpisodePageProps) {
  const view = await readEpisode((await params).episodeId)
  if (!view) notFound()
  const { episode } = view
  const { log } = loadLogView(await searchParams)
  const first = await readLog(episode.episodeId, `${log}-log`, {
    offset: 0,
    length: FIRST_RANGE_BYTES,
  })
  return (
    <>
      <PageHeading
        title={visibleText(view.taskTitle)}
        trail={
          <>
            <Link className="link" href="/runs">
              Runs
            </Link>{' '}
            /{' '}
            <Link className="link" href={`/runs/${episode.runId}`}>
              <code className="text-xs">{episode.runId}</code>
            </Link>{' '}
            / {episode.taskId}
          </>
        }
      >
        {visibleText(
          [episode.subject.name, episode.subject.version, episode.subject.modelRequested]
            .filter(Boolean)
            .join(' · '),
        )}
        , repetition {episode.repetition}, attempt {episode.attempt}
      </PageHeading>
      <CorrectionBanner corrections={await listCorrections([episode.episodeId, episode.runId])} />
      <OutcomeBanner episode={episode} />
      <Section id="contract" title="Contract">
        {episode.contract ? (
          <ContractTree contract={episode.contract} />
        ) : (
          <p className="text-muted">The contract was never evaluated.</p>
        )}
      </Section>
      <Section id="phases" title="Phases">
        <PhaseTimeline wall={episode.effort.wall} />
      </Section>
      {view.episode.subject.kind === 'agent' ? (
        <Section id="calls" title="Model calls">
          <GatewayCalls calls={view.calls} />
        </Section>
      ) : null}
      <Section id="logs" title="Logs">
        <LogSection
          episodeId={episode.episodeId}
          evidence={episode.evidence}
          first={first}
          name={log}
        />
      </Section>
      <Section id="diff" title="Workspace diff">
        {view.diff ? <DiffView diff={view.diff} /> : <Nothing kept={view.diff !== null} />}
      </Section>
      <Section id="solution" title="Solution">
        {view.solution.length > 0 ? (
          view.solution.map((file) => <SourceView key={file.path} {...file} />)
        ) : (
          <p className="text-muted">No solution file was kept.</p>
        )}
      </Section>
      <Section id="integrity" title="Integrity">
        <IntegrityFindings integrity={episode.integrity} />
      </Section>
      <Section id="attempts" title="Attempts">
        <AttemptsList attempts={view.attempts} episode={episode} />
      </Section>
      <Section id="facts" title="What ran">
        <EpisodeFacts episode={episode} provenance={view.provenance} />
      </Section>
      <Section id="evidence" title="Evidence">
        <EvidenceFiles files={episode.evidence} />
      </Section>
      {view.reproduce.length > 0 ? (
        <Section id="reproduce" title="Do it again">
          <Command lines={view.reproduce} />
        </Section>
      ) : null}
    </>
  )
}

function Nothing({ kept }: { kept: boolean }) {
  return (
    <p className="text-muted">
      {kept
        ? 'The subject changed nothing in its workspace.'
        : 'No diff was kept for this episode.'}
    </p>
  )
}

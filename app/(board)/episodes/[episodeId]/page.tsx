import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { cache } from 'react'
import { BrowserFacts } from '#components/episode/browser-facts.tsx'
import { ContractTree } from '#components/episode/contract-tree.tsx'
import { EpisodeFacts } from '#components/episode/episode-facts.tsx'
import { DiffView, SourceView } from '#components/episode/episode-panels.tsx'
import {
  EvidenceFiles,
  FinalPage,
  GatewayCalls,
  LogSection,
} from '#components/episode/evidence-files.tsx'
import { loadLogView } from '#components/episode/log-address.ts'
import { AttemptsList, IntegrityFindings, OutcomeBanner } from '#components/episode/outcome.tsx'
import { PhaseTimeline, StepTrace } from '#components/episode/timeline.tsx'
import { CorrectionBanner } from '#components/ledger/ledger-status.tsx'
import { OUTCOME_LABELS } from '#components/run/outcome.tsx'
import { visibleText } from '#components/ui/format.ts'
import { CommandLines, PageHeading, Section } from '#components/ui/layout.tsx'
import type { EpisodeView } from '#lib/domain/api/index.ts'
import { rowPreviewPath } from '#lib/domain/board/index.ts'
import { type AnyEpisode, isMeasured, modelLabel, subjectLabel } from '#lib/domain/record/index.ts'
import { formatWay } from '#lib/domain/tasks/index.ts'
import { findRowOfRun } from '#lib/server/board/rows.ts'
import { getTask } from '#lib/server/board/suites.ts'
import { listCorrections } from '#lib/server/care/corrections.ts'
import { linkPreview } from '#lib/server/http/preview-image.ts'
import { getEpisode } from '#lib/server/runs/episodes.ts'
import { readLog } from '#lib/server/runs/read-log.ts'
import { Administer } from '../../runs/[runId]/administer.tsx'
import { TranscriptSection } from './transcript-section.tsx'

export const dynamic = 'force-dynamic'

type EpisodePageProps = {
  params: Promise<{ episodeId: string }>
  searchParams: Promise<SearchParams>
}

const FIRST_RANGE_BYTES = 65_536

const readEpisode = cache(getEpisode)

export async function generateMetadata({ params }: EpisodePageProps): Promise<Metadata> {
  const view = await readEpisode((await params).episodeId)
  if (!view) return { title: 'Not found' }
  const { episode } = view
  const row = await findRowOfRun(episode.runId)
  return linkPreview({
    title: `${visibleText(view.taskTitle)}: ${OUTCOME_LABELS[episode.outcome.status].word}`,
    description: `${visibleText(subjectLabel(episode.subject))}, repetition ${episode.repetition}, attempt ${episode.attempt}`,
    path: `/episodes/${episode.episodeId}`,
    picture: row && rowPreviewPath(row.rowId),
  })
}

function Contract({ episode }: { episode: AnyEpisode }) {
  if (episode.contract) return <ContractTree contract={episode.contract} />
  return (
    <p className="text-muted">
      {isMeasured(episode)
        ? 'The success criteria were not evaluated.'
        : 'Reported by another program, without success criteria.'}
    </p>
  )
}

/** One episode with all its evidence. */
export default async function EpisodePage({ params, searchParams }: EpisodePageProps) {
  const view = await readEpisode((await params).episodeId)
  if (!view) notFound()
  const { episode } = view
  const { browser } = episode
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
            / <TaskName suiteId={episode.suiteId} taskId={episode.taskId} />
          </>
        }
      >
        {visibleText(
          [
            episode.subject.name,
            episode.subject.version,
            modelLabel(episode.subject),
            browser ? formatWay({ driven: browser.driven, subject: episode.subject }) : null,
            episode.fault ? `fault ${episode.fault.plan}` : null,
          ]
            .filter(Boolean)
            .join(' · '),
        )}
        , repetition {episode.repetition}, attempt {episode.attempt}
      </PageHeading>
      <CorrectionBanner corrections={await listCorrections([episode.episodeId, episode.runId])} />
      <OutcomeBanner episode={episode} />
      <TranscriptSection view={view} />
      <Section id="contract" title="Success criteria">
        <Contract episode={episode} />
      </Section>
      {browser ? (
        <>
          <Section id="final-page" title="Final page">
            <FinalPage
              episodeId={episode.episodeId}
              evidence={episode.evidence}
              pruned={view.pruned}
              received={view.received}
            />
          </Section>
          <Section id="browser" title="Library and browser">
            <BrowserFacts browser={browser} episode={episode} />
          </Section>
          {view.finalState ? (
            <Section id="final-state" title="Final app state">
              <SourceView path="final-state.json" text={view.finalState} />
            </Section>
          ) : null}
        </>
      ) : null}
      <Section id="phases" title="Phases">
        <PhaseTimeline hasBrowser={Boolean(browser)} wall={episode.effort.wall} />
      </Section>
      {browser ? (
        <Section id="steps" title="Steps">
          <StepTrace trace={view.trace} />
        </Section>
      ) : null}
      {episode.subject.kind === 'agent' || view.calls !== null ? (
        <Section id="calls" title="Model calls">
          <GatewayCalls calls={view.calls} />
        </Section>
      ) : null}
      <Section id="logs" title="Logs">
        <LogSection
          episodeId={episode.episodeId}
          evidence={episode.evidence}
          first={first}
          hasBrowser={Boolean(browser)}
          name={log}
          pruned={view.pruned}
        />
      </Section>
      {browser ? null : <Workspace diff={view.diff} solution={view.solution} />}
      <Section id="integrity" title="Integrity">
        <IntegrityFindings integrity={episode.integrity} />
      </Section>
      <Section id="attempts" title="Attempts">
        <AttemptsList attempts={view.attempts} episode={episode} />
      </Section>
      <Section id="facts" title="Details">
        <EpisodeFacts
          episode={episode}
          evaluatedHere={view.evaluatedHere}
          provenance={view.provenance}
        />
      </Section>
      <Section id="evidence" title="Evidence">
        <EvidenceFiles files={episode.evidence} pruned={view.pruned} />
      </Section>
      <Administer episodeId={episode.episodeId} runId={episode.runId} />
      {view.reproduce.length > 0 ? (
        <Section id="reproduce" title="Reproduce">
          <CommandLines lines={view.reproduce} />
        </Section>
      ) : null}
    </>
  )
}

/** Links to the task's page, if the suite still has the task. */
async function TaskName({ suiteId, taskId }: { suiteId: string; taskId: string }) {
  if (!(await getTask(suiteId, taskId))) return taskId
  return (
    <Link className="link" href={`/suites/${suiteId}/tasks/${taskId}`} prefetch={false}>
      {taskId}
    </Link>
  )
}

function Workspace({ diff, solution }: Pick<EpisodeView, 'diff' | 'solution'>) {
  return (
    <>
      <Section id="diff" title="Workspace diff">
        {diff ? <DiffView diff={diff} /> : <Nothing kept={diff !== null} />}
      </Section>
      <Section id="solution" title="Solution">
        {solution.length > 0 ? (
          solution.map((file) => <SourceView key={file.path} {...file} />)
        ) : (
          <p className="text-muted">No solution file is stored.</p>
        )}
      </Section>
    </>
  )
}

function Nothing({ kept }: { kept: boolean }) {
  return (
    <p className="text-muted">
      {kept ? 'The workspace was not changed.' : 'No diff is stored for this episode.'}
    </p>
  )
}

import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { cache } from 'react'
import { SourceView } from '#components/episode/code-view.tsx'
import { DiffView, NoDiff, SolutionsBeside } from '#components/episode/diff-panel.tsx'
import { EpisodeMoves } from '#components/episode/episode-moves.tsx'
import { chosenTab, episodeTabs, type TabId, tabHref } from '#components/episode/episode-tabs.ts'
import {
  EvidenceProblems,
  GatewayCalls,
  LogSection,
  whereAbsent,
} from '#components/episode/evidence-files.tsx'
import {
  ContractPanel,
  EnvironmentPanel,
  Screenshots,
  StepsPanel,
} from '#components/episode/evidence-panels.tsx'
import { loadLogView } from '#components/episode/log-address.ts'
import { OutcomeBanner } from '#components/episode/outcome.tsx'
import { SummaryPanel } from '#components/episode/summary-panel.tsx'
import { TabBar } from '#components/episode/tab-bar.tsx'
import { CorrectionBanner } from '#components/ledger/ledger-status.tsx'
import { OUTCOME_LABELS } from '#components/run/outcome.tsx'
import { visibleText } from '#components/ui/format.ts'
import { PageHeading, Section } from '#components/ui/layout.tsx'
import type { EpisodeView } from '#lib/domain/api/index.ts'
import { rowPreviewPath } from '#lib/domain/board/index.ts'
import { CALLS_FILE, modelLabel, subjectLabel } from '#lib/domain/record/index.ts'
import { formatWay } from '#lib/domain/tasks/index.ts'
import { findRowOfRun } from '#lib/server/board/rows.ts'
import { getTask } from '#lib/server/board/suites.ts'
import { listCorrections } from '#lib/server/care/corrections.ts'
import { linkPreview } from '#lib/server/http/preview-image.ts'
import { compareSolutions, getEpisodeContext } from '#lib/server/runs/episode-context.ts'
import { getEpisode } from '#lib/server/runs/episodes.ts'
import { readLog, unlessEvidence } from '#lib/server/runs/read-log.ts'
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

/** One episode as a viewer: outcome and cause on top, below them one part of its evidence at a time. */
export default async function EpisodePage({ params, searchParams }: EpisodePageProps) {
  const view = await readEpisode((await params).episodeId)
  if (!view) return notFound()
  const { episode } = view
  const { browser, episodeId } = episode
  const search = await searchParams
  const tabs = episodeTabs(view)
  const chosen = chosenTab(search, tabs)
  const context = await getEpisodeContext(episode)
  const hasSolutions = context.solved !== null && view.solution.length > 0
  return (
    <>
      <PageHeading
        title={visibleText(view.taskTitle)}
        trail={
          <>
            <a className="link" href="/runs">
              Runs
            </a>{' '}
            /{' '}
            <a className="link untrusted" href={`/runs/${episode.runId}`} title={episode.runId}>
              {visibleText(subjectLabel(episode.subject))}
            </a>{' '}
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
      <CorrectionBanner corrections={await listCorrections([episodeId, episode.runId])} />
      <OutcomeBanner episode={episode}>
        <EpisodeMoves
          besideHref={hasSolutions ? `${tabHref(episodeId, 'diff')}#beside` : null}
          {...context}
        />
      </OutcomeBanner>
      <EvidenceProblems problems={view.evidenceProblems} />
      <TabBar chosen={chosen} episodeId={episodeId} tabs={tabs}>
        <Panel
          chosen={chosen}
          search={search}
          solvedId={hasSolutions ? (context.solved?.episodeId ?? null) : null}
          view={view}
        />
      </TabBar>
    </>
  )
}

type PanelProps = {
  chosen: TabId
  view: EpisodeView
  search: SearchParams
  solvedId: string | null
}

function Panel({ chosen, view, search, solvedId }: PanelProps) {
  const { runId, episodeId } = view.episode
  switch (chosen) {
    case 'summary':
      return (
        <>
          {view.episode.browser ? <Screenshots view={view} /> : null}
          <SummaryPanel view={view} />
          <Administer episodeId={episodeId} runId={runId} />
        </>
      )
    case 'transcript':
      return <SaidPanel view={view} />
    case 'steps':
      return <StepsPanel view={view} />
    case 'tests':
      return <ContractPanel view={view} />
    case 'diff':
      return <DiffPanel solvedId={solvedId} view={view} />
    case 'logs':
      return <LogsPanel search={search} view={view} />
    case 'environment':
      return <EnvironmentPanel view={view} />
  }
}

function SaidPanel({ view }: { view: EpisodeView }) {
  const { evidence } = view.episode
  const hasTranscript = evidence.some(({ role }) => role === 'transcript')
  const hasCalls = evidence.some(({ path }) => path === CALLS_FILE)
  return (
    <>
      <TranscriptSection view={view} />
      <Section id="calls" title="Model calls">
        <GatewayCalls
          absent={hasCalls ? whereAbsent(view) : null}
          calls={view.calls}
          hasTranscript={hasTranscript}
        />
      </Section>
    </>
  )
}

async function DiffPanel({ view, solvedId }: { view: EpisodeView; solvedId: string | null }) {
  const { diff, solution } = view
  const beside = solvedId && (await compareSolutions(view, solvedId))
  return (
    <>
      <Section id="diff" title="Workspace diff">
        {diff ? (
          <DiffView diff={diff} />
        ) : (
          <NoDiff isElsewhere={view.elsewhere !== null} stored={diff !== null} />
        )}
      </Section>
      {solvedId && beside !== null ? (
        <Section
          aside={
            <a className="link" href={`/episodes/${solvedId}`}>
              Open the solved attempt
            </a>
          }
          id="beside"
          title="Compared with a solved attempt"
        >
          {beside ? (
            <SolutionsBeside diff={beside} />
          ) : (
            <p className="text-muted">Both attempts left the same solution.</p>
          )}
        </Section>
      ) : null}
      <Section id="solution" title="Solution">
        {solution.length > 0 ? (
          solution.map((file) => <SourceView key={file.path} {...file} />)
        ) : (
          <p className="text-muted">
            {view.elsewhere === null
              ? 'No solution file is stored.'
              : 'The solution is not in this data folder.'}
          </p>
        )}
      </Section>
    </>
  )
}

async function LogsPanel({ view, search }: { view: EpisodeView; search: SearchParams }) {
  const { episodeId, evidence, browser } = view.episode
  const { log } = loadLogView(search)
  const range = { offset: 0, length: FIRST_RANGE_BYTES }
  const first = await readLog(episodeId, `${log}-log`, range).catch(unlessEvidence)
  return (
    <Section id="logs" title="Logs">
      <LogSection
        episodeId={episodeId}
        evidence={evidence}
        first={first}
        hasBrowser={Boolean(browser)}
        name={log}
        absent={whereAbsent(view)}
        pruned={view.pruned}
      />
    </Section>
  )
}

/** Links to the task's page, if the suite still has the task. */
async function TaskName({ suiteId, taskId }: { suiteId: string; taskId: string }) {
  if (!(await getTask(suiteId, taskId))) return taskId
  return (
    <a className="link" href={`/suites/${suiteId}/tasks/${taskId}`}>
      {taskId}
    </a>
  )
}

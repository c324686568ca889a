import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { cache } from 'react'
import { SolutionsBeside } from '#components/episode/diff-panel.tsx'
import { EpisodeHeading } from '#components/episode/episode-heading.tsx'
import { EpisodeMoves } from '#components/episode/episode-moves.tsx'
import { EpisodePanel } from '#components/episode/episode-panel.tsx'
import { chosenTab, episodeTabs, tabHref } from '#components/episode/episode-tabs.ts'
import { EvidenceProblems, LogSection, whereAbsent } from '#components/episode/evidence-files.tsx'
import { loadLogView } from '#components/episode/log-address.ts'
import { OutcomeBanner } from '#components/episode/outcome.tsx'
import { TabBar } from '#components/episode/tab-bar.tsx'
import { TranscriptPanel } from '#components/episode/transcript.tsx'
import { PAGE_STEPS, PREVIEW_CHARS } from '#components/episode/transcript-address.ts'
import { CorrectionBanner } from '#components/ledger/ledger-status.tsx'
import { OUTCOME_LABELS } from '#components/run/outcome.tsx'
import { visibleText } from '#components/ui/format.ts'
import { Section } from '#components/ui/layout.tsx'
import { type EpisodeView, formatPruned } from '#lib/domain/api/index.ts'
import { rowPreviewPath } from '#lib/domain/board/index.ts'
import { isMeasured, subjectLabel } from '#lib/domain/record/index.ts'
import { findRowOfRun } from '#lib/server/board/rows.ts'
import { getTask } from '#lib/server/board/suites.ts'
import { listCorrections } from '#lib/server/care/corrections.ts'
import { linkPreview } from '#lib/server/http/preview-image.ts'
import { compareSolutions, getEpisodeContext } from '#lib/server/runs/episode-context.ts'
import { getEpisode } from '#lib/server/runs/episodes.ts'
import { readLog, unlessEvidence } from '#lib/server/runs/read-log.ts'
import { readTranscript } from '#lib/server/runs/transcript.ts'
import { Administer } from '../../runs/[runId]/administer.tsx'

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
  const { episodeId } = episode
  const search = await searchParams
  const tabs = episodeTabs(view)
  const chosen = chosenTab(search, tabs)
  const context = await getEpisodeContext(episode)
  const hasSolutions = context.solved !== null && view.solution.length > 0
  return (
    <>
      <EpisodeHeading
        isTaskKnown={(await getTask(episode.suiteId, episode.taskId)) !== null}
        view={view}
      />
      <CorrectionBanner corrections={await listCorrections([episodeId, episode.runId])} />
      <OutcomeBanner episode={episode}>
        <EpisodeMoves
          besideHref={hasSolutions ? `${tabHref(episodeId, 'diff')}#beside` : null}
          {...context}
        />
      </OutcomeBanner>
      <EvidenceProblems problems={view.evidenceProblems} />
      <TabBar chosen={chosen} episodeId={episodeId} tabs={tabs}>
        <EpisodePanel
          below={{ summary: <Administer episodeId={episodeId} runId={episode.runId} /> }}
          comparison={
            hasSolutions && context.solved ? (
              <Comparison solvedId={context.solved.episodeId} view={view} />
            ) : null
          }
          logs={<Logs search={search} view={view} />}
          tab={chosen}
          transcript={<Transcript view={view} />}
          view={view}
        />
      </TabBar>
    </>
  )
}

/** Differences between the attempt and a solved one of the same task. */
async function Comparison({ view, solvedId }: { view: EpisodeView; solvedId: string }) {
  const beside = await compareSolutions(view, solvedId)
  if (beside === null) return null
  return (
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
  )
}

async function Logs({ view, search }: { view: EpisodeView; search: SearchParams }) {
  const { episodeId, evidence, browser } = view.episode
  const { log } = loadLogView(search)
  const range = { offset: 0, length: FIRST_RANGE_BYTES }
  const first = await readLog(episodeId, `${log}-log`, range).catch(unlessEvidence)
  return (
    <LogSection
      absent={whereAbsent(view)}
      episodeId={episodeId}
      evidence={evidence}
      first={first}
      hasBrowser={Boolean(browser)}
      name={log}
      pruned={view.pruned}
    />
  )
}

/** The transcript of an episode, its first steps rendered here; without one, why there is none. */
async function Transcript({ view }: { view: EpisodeView }) {
  const { episodeId } = view.episode
  const first = await readTranscript(episodeId, {
    from: 1,
    limit: PAGE_STEPS,
    chars: PREVIEW_CHARS,
  }).catch(unlessEvidence)
  if (first === null || first.total === 0)
    return <p className="untrusted text-muted">{visibleText(whyMissing(view, first !== null))}</p>
  return (
    <>
      <TranscriptPanel episodeId={episodeId} first={first} key={episodeId} />
      <p className="mt-2 text-muted">
        Download:{' '}
        <a className="link" href={`/api/v1/episodes/${episodeId}/logs/raw?role=transcript`}>
          JSON Lines
        </a>
        ,{' '}
        <a className="link" href={`/api/v1/episodes/${episodeId}/atif`}>
          ATIF
        </a>
      </p>
    </>
  )
}

function whyMissing(view: EpisodeView, isEmpty: boolean): string {
  const { episode, pruned, calls } = view
  const absent = whereAbsent(view)
  const file = episode.evidence.find(({ role }) => role === 'transcript')
  const note = file && pruned.find(({ path }) => path === file.path)
  if (note) return `The transcript was ${formatPruned(note)}.`
  if (isEmpty) return 'The agent made no model calls, so nothing was said.'
  if (file)
    return absent === null
      ? 'The stored transcript cannot be read.'
      : `The evidence lists a transcript; the file is ${absent}.`
  if (!isMeasured(episode))
    return 'Another program measured this episode, and no gateway of ours saw its model calls.'
  if (calls !== null) return 'This episode is older than transcripts: its calls were only counted.'
  if (episode.subject.kind === 'agent')
    return 'Model calls of this agent did not go through the gateway, so the conversation was not recorded.'
  return 'No model took part in this episode, so nothing was said.'
}

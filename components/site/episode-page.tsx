import type { CorrectionNote } from '#lib/domain/api/index.ts'
import { type AnyEpisode, isScored } from '#lib/domain/record/index.ts'
import { EpisodeHeading } from '../episode/episode-heading.tsx'
import { EpisodeMoves } from '../episode/episode-moves.tsx'
import { EpisodePanel } from '../episode/episode-panel.tsx'
import { episodeTabs, type TabId } from '../episode/episode-tabs.ts'
import { EvidenceProblems, LogLinks } from '../episode/evidence-files.tsx'
import { OutcomeBanner } from '../episode/outcome.tsx'
import { TabBar } from '../episode/tab-bar.tsx'
import { CorrectionBanner } from '../ledger/ledger-status.tsx'
import { visibleText } from '../ui/format.ts'
import { Section } from '../ui/layout.tsx'
import type { ShownEpisode } from './episode-view.ts'
import { LogFile } from './log-file.tsx'
import { TranscriptFile } from './transcript-file.tsx'

/** A page of an episode: one of its tabs, or the verifier's log. */
export type EpisodePart = TabId | 'gate-log'

type EpisodePageProps = {
  shown: ShownEpisode
  part: EpisodePart
  /** Episodes of the run, in order. */
  neighbours: readonly AnyEpisode[]
  corrections: readonly CorrectionNote[]
  /** Address of an evidence file, by its path in the envelope. */
  hrefOf: (path: string) => string
}

/** One part of an episode, below its outcome. */
export function EpisodePage(props: EpisodePageProps) {
  const { shown, part, neighbours, corrections, hrefOf } = props
  const { view } = shown
  const { episode } = view
  const tab = part === 'gate-log' ? 'logs' : part
  return (
    <>
      <EpisodeHeading isTaskKnown view={view} />
      <CorrectionBanner corrections={corrections} />
      <OutcomeBanner episode={episode}>
        <EpisodeMoves besideHref={null} {...findMoves(episode, neighbours)} />
      </OutcomeBanner>
      <EvidenceProblems problems={view.evidenceProblems} />
      <TabBar chosen={tab} episodeId={episode.episodeId} tabs={episodeTabs(view)}>
        <EpisodePanel
          below={{ environment: <FileLinks hrefOf={hrefOf} shown={shown} /> }}
          logs={<Logs hrefOf={hrefOf} part={part} shown={shown} />}
          tab={tab}
          transcript={<TranscriptFile hrefOf={hrefOf} shown={shown} />}
          view={view}
        />
      </TabBar>
    </>
  )
}

/** The previous and next failures of the run, and a solved attempt at the same task. */
function findMoves({ episodeId, taskId, outcome }: AnyEpisode, all: readonly AnyEpisode[]) {
  const at = all.findIndex((one) => one.episodeId === episodeId)
  const isFailure = (one: AnyEpisode) => one.outcome.status !== 'solved'
  const solved = all.find((one) => one.taskId === taskId && one.outcome.status === 'solved')
  const isFailed = isScored(outcome.status) && outcome.status !== 'solved'
  return {
    previous: all.slice(0, at).findLast(isFailure)?.episodeId ?? null,
    next: all.slice(at + 1).find(isFailure)?.episodeId ?? null,
    solved: isFailed && solved ? { episodeId: solved.episodeId, isSameRun: true } : null,
  }
}

type LogsProps = Pick<EpisodePageProps, 'shown' | 'part' | 'hrefOf'>

function Logs({ shown, part, hrefOf }: LogsProps) {
  const { episodeId, browser } = shown.view.episode
  const chosen = part === 'gate-log' ? 'gate' : 'subject'
  const file = shown.files.find((one) => one.file.role === `${chosen}-log`)
  return (
    <>
      <LogLinks chosen={chosen} episodeId={episodeId} hasBrowser={Boolean(browser)} />
      {file ? (
        <LogFile href={hrefOf(file.file.path)} shown={file} />
      ) : (
        <p className="border-line border-y py-4 text-muted">This episode has no such log.</p>
      )}
    </>
  )
}

/** Every stored file of evidence as it is. */
function FileLinks({ shown, hrefOf }: Omit<LogsProps, 'part'>) {
  const here = shown.files.filter(({ text }) => text !== null)
  if (here.length === 0) return null
  return (
    <Section id="files" title="Download">
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {here.map(({ file: { path } }) => (
          <li className="untrusted" key={path}>
            <a className="link" href={hrefOf(path)}>
              {visibleText(path)}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}

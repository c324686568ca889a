import type { ReactNode } from 'react'
import type { CorrectionNote } from '#lib/domain/api/index.ts'
import { type AnyEpisode, isScored, modelLabel, subjectLabel } from '#lib/domain/record/index.ts'
import { formatWay } from '#lib/domain/tasks/index.ts'
import { SourceView } from '../episode/code-view.tsx'
import { DiffView, NoDiff } from '../episode/diff-panel.tsx'
import { EpisodeMoves } from '../episode/episode-moves.tsx'
import { episodeTabs, type TabId } from '../episode/episode-tabs.ts'
import { EvidenceProblems, GatewayCalls } from '../episode/evidence-files.tsx'
import {
  ContractPanel,
  EnvironmentPanel,
  Screenshots,
  StepsPanel,
} from '../episode/evidence-panels.tsx'
import { OutcomeBanner } from '../episode/outcome.tsx'
import { SummaryPanel } from '../episode/summary-panel.tsx'
import { TabBar } from '../episode/tab-bar.tsx'
import { CorrectionBanner } from '../ledger/ledger-status.tsx'
import { visibleText } from '../ui/format.ts'
import { PageHeading, Section } from '../ui/layout.tsx'
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
  const { episode, taskTitle } = view
  const { browser, subject, suiteId, taskId, runId, episodeId, repetition, attempt } = episode
  const facts = [
    subject.name,
    subject.version,
    modelLabel(subject),
    browser ? formatWay({ driven: browser.driven, subject }) : null,
    episode.fault ? `fault ${episode.fault.plan}` : null,
  ]
  return (
    <>
      <PageHeading
        title={visibleText(taskTitle)}
        trail={
          <>
            <a className="link" href="/runs">
              Runs
            </a>{' '}
            /{' '}
            <a className="link untrusted" href={`/runs/${runId}`} title={runId}>
              {visibleText(subjectLabel(subject))}
            </a>{' '}
            /{' '}
            <a className="link" href={`/suites/${suiteId}/tasks/${taskId}`}>
              {taskId}
            </a>
          </>
        }
      >
        {visibleText(facts.filter(Boolean).join(' · '))}, repetition {repetition}, attempt {attempt}
      </PageHeading>
      <CorrectionBanner corrections={corrections} />
      <OutcomeBanner episode={episode}>
        <EpisodeMoves besideHref={null} {...findMoves(episode, neighbours)} />
      </OutcomeBanner>
      <EvidenceProblems problems={view.evidenceProblems} />
      <TabBar
        chosen={part === 'gate-log' ? 'logs' : part}
        episodeId={episodeId}
        tabs={episodeTabs(view)}
      >
        <Panel hrefOf={hrefOf} part={part} shown={shown} />
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

type PanelProps = Pick<EpisodePageProps, 'shown' | 'part' | 'hrefOf'>

function Panel({ shown, part, hrefOf }: PanelProps) {
  const { view } = shown
  switch (part) {
    case 'summary':
      return (
        <>
          {view.episode.browser ? <Screenshots view={view} /> : null}
          <SummaryPanel view={view} />
        </>
      )
    case 'transcript':
      return (
        <>
          <Section id="transcript" title="Transcript">
            <TranscriptFile hrefOf={hrefOf} shown={shown} />
          </Section>
          <Section id="calls" title="Model calls">
            <GatewayCalls calls={view.calls} hasTranscript={hasRole(shown, 'transcript')} />
          </Section>
        </>
      )
    case 'steps':
      return <StepsPanel view={view} />
    case 'tests':
      return <ContractPanel view={view} />
    case 'diff':
      return <DiffPanel view={view} />
    case 'logs':
    case 'gate-log':
      return <LogsPanel hrefOf={hrefOf} part={part} shown={shown} />
    case 'environment':
      return (
        <>
          <EnvironmentPanel view={view} />
          <FileLinks hrefOf={hrefOf} shown={shown} />
        </>
      )
  }
}

function hasRole({ files }: ShownEpisode, role: string): boolean {
  return files.some(({ file }) => file.role === role)
}

function DiffPanel({ view: { diff, solution } }: Pick<ShownEpisode, 'view'>) {
  return (
    <>
      <Section id="diff" title="Workspace diff">
        {diff ? <DiffView diff={diff} /> : <NoDiff isElsewhere={false} stored={diff !== null} />}
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

function LogsPanel({ shown, part, hrefOf }: PanelProps) {
  const { episodeId, browser } = shown.view.episode
  const role = part === 'gate-log' ? 'gate-log' : 'subject-log'
  const logs = [
    ['subject-log', browser ? 'Library log' : 'Agent log', ''],
    ['gate-log', 'Verifier log', '&log=gate'],
  ] as const
  const file = shown.files.find((one) => one.file.role === role)
  return (
    <Section id="logs" title="Logs">
      <nav aria-label="Logs" className="mb-2 flex gap-1">
        {logs.map(([id, name, query]) => (
          <a
            aria-current={id === role ? 'true' : undefined}
            className="rounded px-2.5 py-1 text-muted hover:text-ink aria-[current=true]:bg-sunken aria-[current=true]:text-ink"
            href={`/episodes/${episodeId}?tab=logs${query}`}
            key={id}
            data-keep-scroll
          >
            {name}
          </a>
        ))}
      </nav>
      {file ? (
        <LogFile href={hrefOf(file.file.path)} shown={file} />
      ) : (
        <Nothing>This episode has no such log.</Nothing>
      )}
    </Section>
  )
}

function Nothing({ children }: { children: ReactNode }) {
  return <p className="border-line border-y py-4 text-muted">{children}</p>
}

/** Links to every stored evidence file. */
function FileLinks({ shown, hrefOf }: Omit<PanelProps, 'part'>) {
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

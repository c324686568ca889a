import type { ReactNode } from 'react'
import type { EpisodeView } from '#lib/domain/api/index.ts'
import { type AnyEpisode, CALLS_FILE, modelLabel } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatCount, formatDuration, formatInstant, UNKNOWN, visibleText } from '../ui/format.ts'
import { CommandLines, type Fact, FactList, Section } from '../ui/layout.tsx'
import { SourceView } from './code-view.tsx'
import { ContractTally } from './contract-tree.tsx'
import { DiffView, NoDiff } from './diff-panel.tsx'
import { costText } from './episode-facts.tsx'
import { type TabId, tabHref } from './episode-tabs.ts'
import { groupErrors } from './error-groups.ts'
import { GatewayCalls, whereAbsent } from './evidence-files.tsx'
import {
  ContractPanel,
  EnvironmentPanel,
  NoContract,
  Screenshots,
  StepsPanel,
} from './evidence-panels.tsx'
import { AttemptsList, IntegrityFindings } from './outcome.tsx'
import { PhaseTimeline } from './timeline.tsx'

type EpisodePanelProps = {
  view: EpisodeView
  tab: TabId
  /** Contents of these sections: only their page knows how to read them. */
  transcript: ReactNode
  logs: ReactNode
  /** Beside a solved attempt. */
  comparison?: ReactNode
  /** Below the panel of a tab. */
  below?: Partial<Record<TabId, ReactNode>>
}

/** One part of the evidence of an episode. */
export function EpisodePanel({ below = {}, ...props }: EpisodePanelProps) {
  return (
    <>
      <Panel {...props} />
      {below[props.tab]}
    </>
  )
}

function Panel({ view, tab, transcript, logs, comparison }: Omit<EpisodePanelProps, 'below'>) {
  switch (tab) {
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
            {transcript}
          </Section>
          <Section id="calls" title="Model calls">
            <Calls view={view} />
          </Section>
        </>
      )
    case 'steps':
      return <StepsPanel view={view} />
    case 'tests':
      return <ContractPanel view={view} />
    case 'diff':
      return <DiffPanel comparison={comparison} view={view} />
    case 'logs':
      return (
        <Section id="logs" title="Logs">
          {logs}
        </Section>
      )
    case 'environment':
      return <EnvironmentPanel view={view} />
  }
}

function Calls({ view }: { view: EpisodeView }) {
  const { evidence } = view.episode
  return (
    <GatewayCalls
      absent={evidence.some(({ path }) => path === CALLS_FILE) ? whereAbsent(view) : null}
      calls={view.calls}
      hasTranscript={evidence.some(({ role }) => role === 'transcript')}
    />
  )
}

function DiffPanel({ view, comparison }: Pick<EpisodePanelProps, 'view' | 'comparison'>) {
  const { diff, solution, elsewhere } = view
  return (
    <>
      <Section id="diff" title="Workspace diff">
        {diff ? (
          <DiffView diff={diff} />
        ) : (
          <NoDiff isElsewhere={elsewhere !== null} stored={diff !== null} />
        )}
      </Section>
      {comparison}
      <Section id="solution" title="Solution">
        {solution.length > 0 ? (
          solution.map((file) => <SourceView key={file.path} {...file} />)
        ) : (
          <p className="text-muted">
            {elsewhere === null
              ? 'No solution file is stored.'
              : 'The solution is not in this data folder.'}
          </p>
        )}
      </Section>
    </>
  )
}

/** The most important facts; each has a tab with details. */
function SummaryPanel({ view }: { view: EpisodeView }) {
  const { episode, attempts, reproduce } = view
  return (
    <>
      <div className="grid gap-x-10 lg:grid-cols-2">
        <div className="min-w-0">
          <Section id="checks" title={episode.browser ? 'Success criteria' : 'Tests'}>
            <Checks episode={episode} evaluatedHere={view.evaluatedHere} />
          </Section>
          <Section id="run-facts" title="Run">
            <FactList facts={summaryFacts(episode)} />
          </Section>
        </div>
        <div className="min-w-0">
          <Section id="phases" title="Phases">
            <PhaseTimeline hasBrowser={Boolean(episode.browser)} wall={episode.effort.wall} />
          </Section>
          <Section id="attempts" title="Attempts">
            <AttemptsList attempts={attempts} episode={episode} />
          </Section>
        </div>
      </div>
      <div className="grid gap-x-10 lg:grid-cols-2">
        <Section id="integrity" title="Integrity">
          <IntegrityFindings integrity={episode.integrity} />
        </Section>
        {reproduce.length > 0 ? (
          <Section id="reproduce" title="Reproduce">
            <CommandLines lines={reproduce} />
          </Section>
        ) : null}
      </div>
    </>
  )
}

function summaryFacts({ subject, effort, usage, startedAt, mode }: AnyEpisode): Fact[] {
  const tokens = usage?.tokens
  return [
    {
      name: 'Entry',
      value: visibleText([subject.name, subject.version].filter(Boolean).join(' ')),
    },
    { name: 'Model', value: visibleText(modelLabel(subject) ?? UNKNOWN) },
    { name: 'Mode', value: mode },
    { name: 'Started', value: formatInstant(startedAt), title: startedAt },
    { name: 'Time', value: formatDuration(effort.wall.totalMs) },
    { name: 'Steps', value: formatCount(effort.steps) },
    {
      name: 'Tokens',
      value: tokens
        ? `${formatCount(tokens.input)} in, ${formatCount(tokens.output)} out`
        : UNKNOWN,
    },
    { name: 'Cost', value: costText(usage) },
  ]
}

const MAX_GROUPS = 3

/** The number of passed checks, and one line per error of the others. */
function Checks({ episode, evaluatedHere }: Pick<EpisodeView, 'episode' | 'evaluatedHere'>) {
  const { contract, episodeId, browser } = episode
  if (!contract) return <NoContract episode={episode} evaluatedHere={evaluatedHere} />
  const failed = contract.assertions.flatMap((assertion) =>
    assertion.kind === 'tests' ? assertion.children : [],
  )
  const groups = groupErrors(browser ? contract.assertions : failed)
  const shown = groups.slice(0, MAX_GROUPS)
  return (
    <>
      <ContractTally contract={contract} />
      <ul className="border-line border-b empty:hidden">
        {shown.map(({ title, failed: members }, index) => (
          <li
            className="flex items-baseline gap-3 border-line border-t py-1.5"
            // biome-ignore lint/suspicious/noArrayIndexKey: groups never move, and two may have one title.
            key={index}
          >
            <span className="untrusted line-clamp-2 min-w-0 flex-1">
              {visibleText(browser ? (members[0]?.label ?? title) : title)}
            </span>
            <span className="whitespace-nowrap text-muted">{members.length} ×</span>
          </li>
        ))}
      </ul>
      <p className="mt-2">
        <a className="link" href={tabHref(episodeId, 'tests')} data-keep-scroll>
          {groups.length > shown.length
            ? `All ${countOf(groups.length, 'error')} and every check`
            : 'Every check'}
        </a>
      </p>
    </>
  )
}

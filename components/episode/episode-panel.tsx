import type { ReactNode } from 'react'
import type { EpisodeView } from '#lib/domain/api/index.ts'
import { CALLS_FILE } from '#lib/domain/record/index.ts'
import { Section } from '../ui/layout.tsx'
import { SourceView } from './code-view.tsx'
import { DiffView, NoDiff } from './diff-panel.tsx'
import type { TabId } from './episode-tabs.ts'
import { GatewayCalls, whereAbsent } from './evidence-files.tsx'
import { ContractPanel, EnvironmentPanel, Screenshots, StepsPanel } from './evidence-panels.tsx'
import { SummaryPanel } from './summary-panel.tsx'

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

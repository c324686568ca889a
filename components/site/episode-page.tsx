import type { CorrectionNote } from '#lib/domain/api/index.ts'
import { type AnyEpisode, isScored } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { cutStep, parseTranscript, type TranscriptStep } from '#lib/domain/transcript/index.ts'
import { Behaviours } from '../episode/behaviours.tsx'
import { LineNumber } from '../episode/code-view.tsx'
import { EpisodeHeading } from '../episode/episode-heading.tsx'
import { EpisodeMoves } from '../episode/episode-moves.tsx'
import { EpisodePanel } from '../episode/episode-panel.tsx'
import { episodeTabs, type TabId } from '../episode/episode-tabs.ts'
import { EvidenceProblems, LogLinks } from '../episode/evidence-files.tsx'
import { OutcomeBanner } from '../episode/outcome.tsx'
import { TabBar } from '../episode/tab-bar.tsx'
import { Findings, TranscriptStepView } from '../episode/transcript-step.tsx'
import { CorrectionBanner } from '../ledger/ledger-status.tsx'
import { AnsiText } from '../ui/ansi-text.tsx'
import { formatSize, visibleText } from '../ui/format.ts'
import { Section } from '../ui/layout.tsx'
import { cutLine } from '../ui/log-lines.ts'
import { ScrollBox } from '../ui/table.tsx'
import type { ShownEpisode, ShownFile } from './episode-view.ts'

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

const MAX_LINES = 2000

/** The beginning of a log, with a link to the complete file. */
function LogFile({ shown: { file, state, text }, href }: { shown: ShownFile; href: string }) {
  if (text === null)
    return (
      <p className="border-line border-y py-4 text-muted">
        This log is not here. The sealed record contains its digest.
      </p>
    )
  if (text === '') return <p className="border-line border-y py-4 text-muted">This log is empty.</p>
  const lines = text.replace(/\n$/, '').split('\n')
  const isPart = state === 'cut' || lines.length > MAX_LINES
  return (
    <div className="overflow-hidden rounded border border-line">
      <ScrollBox
        aria-label={file.role === 'gate-log' ? 'Verifier log' : 'Agent log'}
        className="max-h-[40rem] overflow-auto whitespace-pre bg-surface font-mono text-xs leading-5"
      >
        <div className="w-max min-w-full">
          {lines.slice(0, MAX_LINES).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
            <LogLine key={index} line={line} number={index + 1} />
          ))}
        </div>
      </ScrollBox>
      <p className="border-line border-t bg-sunken px-3 py-1.5 text-muted text-xs">
        {isPart
          ? `The first ${countOf(Math.min(lines.length, MAX_LINES), 'line')} of ${formatSize(file.sizeBytes)}. `
          : `${countOf(lines.length, 'line')}, ${formatSize(file.sizeBytes)}. `}
        <a className="link" href={href}>
          Whole log
        </a>
        {file.droppedBytes > 0
          ? ` The log exceeded its size limit: ${formatSize(file.droppedBytes)} were dropped.`
          : null}
      </p>
    </div>
  )
}

function LogLine({ line, number }: { line: string; number: number }) {
  const { text, rest } = cutLine(line)
  return (
    <div className="flex min-w-full">
      <LineNumber number={number} />
      <bdi className="pr-4">
        <AnsiText find="" line={text} />
      </bdi>
      {rest ? <span className="pr-4 text-muted">{rest}</span> : null}
    </div>
  )
}

const MAX_STEPS = 300
/** Limit for each text of a step. */
const MAX_CHARS = 4000

type TranscriptFileProps = { shown: ShownEpisode; hrefOf: (path: string) => string }

/** The steps of a transcript in one list, with a link to the file. */
function TranscriptFile({ shown, hrefOf }: TranscriptFileProps) {
  const found = shown.files.find(({ file }) => file.role === 'transcript')
  if (!found)
    return (
      <p className="text-muted">
        {shown.view.calls?.length === 0
          ? 'The agent made no model calls, so nothing was said.'
          : 'No transcript is stored: model calls did not go through the gateway.'}
      </p>
    )
  const { text, file, state } = found
  if (text === null)
    return <p className="text-muted">The evidence lists a transcript; the file is not here.</p>
  const read = parseTranscript(text)
  const href = hrefOf(file.path)
  if (!read)
    return (
      <p className="text-muted">
        The stored transcript cannot be read.{' '}
        <a className="link" href={href}>
          JSON Lines
        </a>
      </p>
    )
  const steps = read.steps.slice(0, MAX_STEPS)
  const isPart = state === 'cut' || read.steps.length > steps.length
  return (
    <div className="overflow-hidden rounded border border-line">
      <Behaviours behaviour={read.findings?.behaviour ?? []} renderSteps={linkSteps} />
      <Findings findings={read.findings?.findings ?? []} linkSteps={linkSteps} />
      {steps.map((step) => (
        <div id={`step-${step.index}`} key={step.index}>
          <TranscriptStepView step={cutStep(step, MAX_CHARS)} tool={toolOf(step, steps)} />
        </div>
      ))}
      <p className="border-line border-t bg-sunken px-3 py-2 text-muted text-xs">
        {read.head.simulated ? 'Simulated: no agent ever ran. ' : null}
        {isPart ? 'The first ' : null}
        {countOf(steps.length, 'step')}, {visibleText(read.head.model ?? 'unknown model')} by{' '}
        {visibleText(read.head.provider)}.{' '}
        <a className="link" href={href}>
          Whole transcript
        </a>
      </p>
    </div>
  )
}

/** The tool that returned a result. */
function toolOf({ toolResult }: TranscriptStep, steps: readonly TranscriptStep[]): string | null {
  const id = toolResult?.callId ?? null
  if (id === null) return null
  return steps.flatMap(({ toolCalls }) => toolCalls).find((call) => call.id === id)?.name ?? null
}

function linkSteps(steps: readonly number[]) {
  return steps.map((step) => (
    <a className="link mr-2 whitespace-nowrap" href={`#step-${step}`} key={step}>
      step {step}
    </a>
  ))
}

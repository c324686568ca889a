import type { EpisodeView, PrunedNote } from '#lib/domain/api/index.ts'
import {
  FILM_FILE,
  type FilmFrame,
  isMeasured,
  type TestCommandResult,
} from '#lib/domain/record/index.ts'
import { countOf, withoutColours } from '#lib/domain/text/index.ts'
import { EVALUATION_LABELS } from '../board/row-facts.ts'
import { formatDuration, visibleText } from '../ui/format.ts'
import { Section } from '../ui/layout.tsx'
import { ScrollBox } from '../ui/table.tsx'
import { BrowserFacts } from './browser-facts.tsx'
import { SourceView } from './code-view.tsx'
import { ContractTree } from './contract-tree.tsx'
import { EpisodeDigests, EpisodeFacts } from './episode-facts.tsx'
import { EvidenceFiles, FinalPage, whereAbsent } from './evidence-files.tsx'
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
export function ContractPanel({ view }: EvidencePanelProps) {
  const { episode, finalState } = view
  return (
    <>
      <Section id="contract" title="Success criteria">
        <Contract {...view} />
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

type Evaluated = Pick<EpisodeView, 'episode' | 'evaluatedHere'>

function Contract({ episode, evaluatedHere }: Evaluated) {
  const { contract, browser } = episode
  if (!contract) return <NoContract episode={episode} evaluatedHere={evaluatedHere} />
  return browser ? <ContractTree contract={contract} /> : <TestsPanel contract={contract} />
}

/** Says why there are no checks, and how the episode was evaluated here. */
export function NoContract({ episode, evaluatedHere }: Evaluated) {
  return (
    <p className="text-muted">
      {isMeasured(episode)
        ? 'The success criteria were not evaluated.'
        : 'Reported by another program, without success criteria.'}
      {evaluatedHere ? ` Evaluated here: ${EVALUATION_LABELS[evaluatedHere.state]}.` : null}
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

/** The result of the task's own test command, and what it printed. */
function TestCommand({ result }: { result: TestCommandResult }) {
  const { command, output, droppedChars } = result
  return (
    <>
      <p className="untrusted">
        <code className="text-xs">{visibleText(command)}</code>{' '}
        <span className="whitespace-nowrap">{describeEnding(result)}</span>
      </p>
      <p className="mt-1 text-muted">
        The task’s own test command, run over the solution in a sandbox without network. It is a
        diagnostic: the verdict does not depend on it.
      </p>
      {output === '' ? null : (
        <details className="mt-2" open={result.exitCode !== 0}>
          <summary className="w-fit cursor-pointer text-muted text-xs hover:text-ink">
            Output
            {droppedChars > 0 ? `, without ${countOf(droppedChars, 'earlier character')}` : ''}
          </summary>
          <pre
            className="untrusted mt-1 max-h-80 overflow-auto whitespace-pre-wrap rounded bg-sunken p-2 text-xs"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
            tabIndex={0}
          >
            {visibleText(withoutColours(output))}
          </pre>
        </details>
      )}
    </>
  )
}

const LIMITS: Readonly<Record<string, string>> = {
  timeout: 'ended by its time limit',
  disk: 'ended by its disk limit',
  processes: 'ended by its process limit',
  memory: 'ended by its memory limit',
}

function describeEnding({ notRun, limit, exitCode, signal, durationMs }: TestCommandResult) {
  if (notRun !== null) return `was not run. ${visibleText(notRun)}`
  const after = `after ${formatDuration(durationMs)}`
  if (limit !== null) return `${LIMITS[limit] ?? 'ended by a limit'} ${after}`
  if (exitCode === null) return `ended by ${visibleText(signal ?? 'a signal')} ${after}`
  return `exited with ${exitCode} ${after}`
}

type FilmstripProps = {
  episodeId: string
  film: readonly FilmFrame[] | null
  /** Why the listed screenshots cannot be shown. */
  absent: string | null
  pruned: readonly PrunedNote[]
}

/** Thumbnails of the page, one at the end of each step, in a row that scrolls. */
function FilmstripView({ episodeId, film, absent, pruned }: FilmstripProps) {
  if (absent) return <p className="text-muted">The screenshots of the steps are {absent}.</p>
  if (film === null) return <p className="text-muted">No screenshots of the steps were taken.</p>
  const gone = new Set(pruned.map(({ path }) => path))
  // File names contain the frame's number, which is lost if a line is unreadable.
  const frames = film.flatMap((frame) =>
    gone.has(frame.path) ? [] : [{ frame, number: Number(frame.path.replace(/\D/g, '')) }],
  )
  if (frames.length === 0) {
    return <p className="text-muted">The screenshots of the steps were pruned.</p>
  }
  return (
    <>
      <ScrollBox aria-label="Filmstrip" className="overflow-x-auto pb-2">
        <ol className="flex w-max gap-3 print:w-auto print:flex-wrap">
          {frames.map(({ frame, number }) => (
            <li className="w-52" key={number}>
              <FilmFrameImage episodeId={episodeId} frame={frame} number={number} />
            </li>
          ))}
        </ol>
      </ScrollBox>
      <p className="mt-1 text-muted text-xs">
        {countOf(frames.length, 'screenshot')}, each taken when a step had ended; of a long episode
        not every step has one. The library does not wait for them, so a screenshot may show the
        beginning of the next step.
      </p>
    </>
  )
}

type FilmFrameImageProps = { episodeId: string; frame: FilmFrame; number: number }

function FilmFrameImage({ episodeId, frame, number }: FilmFrameImageProps) {
  const { step, action, endMs, lateMs, failed } = frame
  const name = visibleText([step, action].filter(Boolean).join(': ') || `Step ${number}`)
  const source = `/api/v1/episodes/${episodeId}/screenshot?frame=${number}`
  return (
    <figure>
      <a
        className={`block overflow-hidden rounded border ${failed ? 'border-bad' : 'border-line'} bg-sunken`}
        href={source}
        title="Open this screenshot"
      >
        {/* biome-ignore lint/performance/noImgElement: evidence is shown unchanged, never resized by a server. */}
        <img
          alt={`The page ${failed ? 'when this failed' : 'after this step'}: ${name}`}
          className="aspect-[8/5] w-full object-contain"
          height={130}
          loading="lazy"
          src={source}
          width={208}
        />
      </a>
      <figcaption className="mt-1 text-xs">
        <span className="untrusted line-clamp-2">{name}</span>
        <span className={failed ? 'text-bad' : 'text-muted'} title={`seen ${lateMs} ms later`}>
          {formatDuration(endMs)} · {failed ? 'failed' : 'done'}
        </span>
      </figcaption>
    </figure>
  )
}

import type { ReactNode } from 'react'
import type { EpisodeCell } from '#lib/domain/api/index.ts'
import { type AnyEpisode, gradingFact, isMeasured, type Outcome } from '#lib/domain/record/index.ts'
import { FINDINGS } from '#lib/domain/reports/index.ts'
import { OUTCOME_LABELS, OutcomeGlyph } from '../run/outcome.tsx'
import { formatDuration, formatFailure, visibleText } from '../ui/format.ts'
import { headlineOf } from './headline.ts'

type OutcomeBannerProps = { episode: AnyEpisode; children?: ReactNode }

/** Outcome of the episode, its cause and how it is scored; next to it, links to related pages. */
export function OutcomeBanner({ episode, children }: OutcomeBannerProps) {
  const { outcome, failureCategory } = episode
  const { word } = OUTCOME_LABELS[outcome.status]
  const { cause, extent } = headlineOf(episode)
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-2 rounded border border-line bg-surface px-4 py-3">
      <div className="flex min-w-0 flex-1 basis-80 gap-3">
        <OutcomeGlyph className="mt-0.5 size-6 shrink-0" status={outcome.status} />
        <div className="min-w-0">
          <p className="text-muted">
            <strong className="font-semibold text-base text-ink">{word}</strong>
            {failureCategory ? ` · ${formatFailure(failureCategory)}` : null} ·{' '}
            {whoseFault(outcome)}
          </p>
          {failsHeldOutOnly(episode) ? (
            <p className="text-base">
              Passed all visible tests, but behaves differently from the reference on held-out
              inputs.
            </p>
          ) : null}
          <p className="untrusted line-clamp-3 text-base" id="cause" title={visibleText(cause)}>
            {visibleText(cause)}
          </p>
          {extent ? <p className="untrusted text-muted">{visibleText(extent)}</p> : null}
        </div>
      </div>
      {children}
    </div>
  )
}

function failsHeldOutOnly(episode: AnyEpisode): boolean {
  const grading = isMeasured(episode) ? gradingFact(episode) : null
  return (
    episode.outcome.status === 'unsolved' && grading?.visible === true && grading.heldOut === false
  )
}

const VOID_OWNERS = {
  harness: 'Harness error',
  infrastructure: 'Infrastructure error',
  provider: 'Provider error',
} as const

/** The attribution of the outcome, and how it is scored. */
function whoseFault(outcome: Outcome): string {
  switch (outcome.status) {
    case 'solved':
      return 'Scored as a success.'
    case 'void':
      return `${VOID_OWNERS[outcome.fault]}. Excluded from scoring.`
    case 'cancelled':
      return 'Excluded from scoring.'
    default:
      return 'Scored as a failure.'
  }
}

type AttemptsListProps = { episode: AnyEpisode; attempts: readonly EpisodeCell[] }

/** All attempts of this slot. */
export function AttemptsList({ episode, attempts }: AttemptsListProps) {
  return (
    <>
      <ol className="border-line border-b">
        {attempts.map((cell) => (
          <li
            className="flex min-h-9 flex-wrap items-center gap-x-3 border-line border-t py-1"
            key={cell.episodeId}
          >
            <OutcomeGlyph className="size-5" status={cell.status} />
            {cell.episodeId === episode.episodeId ? (
              <strong className="font-medium">Attempt {cell.attempt} (this page)</strong>
            ) : (
              <a className="link" href={`/episodes/${cell.episodeId}`}>
                Attempt {cell.attempt}
              </a>
            )}
            <span>{OUTCOME_LABELS[cell.status].word}</span>
            <span className="text-muted">{formatDuration(cell.totalMs)}</span>
          </li>
        ))}
      </ol>
      {episode.previousAttempt ? (
        <p className="untrusted mt-2 text-muted">
          Retried because: {visibleText(episode.previousAttempt.reason)}
        </p>
      ) : null}
    </>
  )
}

/** Findings of the tamper detectors and changed protected files. */
export function IntegrityFindings({ integrity }: Pick<AnyEpisode, 'integrity'>) {
  if (integrity === null)
    return <p className="text-muted">Not checked: the result was reported by another program.</p>
  const { findings, protectedFilesTouched } = integrity
  if (findings.length === 0 && protectedFilesTouched.length === 0) {
    return <p className="text-muted">No findings. No protected file was changed.</p>
  }
  return (
    <ul className="border-line border-b">
      {findings.map(({ code, detail }) => (
        <li className="untrusted border-line border-t py-1.5" key={`${code} ${detail}`}>
          <code className="mr-2 text-bad text-xs">{visibleText(code)}</code>
          {findingMeaning(code)}
          <span className={findingMeaning(code) === null ? undefined : 'block text-muted text-xs'}>
            {visibleText(detail)}
          </span>
        </li>
      ))}
      {protectedFilesTouched.map(({ path, change, reason }) => (
        <li className="untrusted border-line border-t py-1.5" key={path}>
          <code className="mr-2 text-warn text-xs">{change}</code>
          <span className="font-mono text-xs">{visibleText(path)}</span>
          {reason === undefined
            ? ', a protected file; restored before verification'
            : `, not judged: ${visibleText(reason)}`}
        </li>
      ))}
    </ul>
  )
}

const MEANINGS: ReadonlyMap<string, string> = new Map(
  FINDINGS.map(({ code, meaning }) => [code, meaning]),
)

/** Description of a finding; null = unknown code, only its detail is shown. */
export function findingMeaning(code: string): string | null {
  return MEANINGS.get(code) ?? null
}

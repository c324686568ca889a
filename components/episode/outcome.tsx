import Link from 'next/link'
import type { EpisodeCell } from '#lib/domain/api/run-view.ts'
import { type AnyEpisode, isMeasured } from '#lib/domain/record/any-record.ts'
import { gradingFact } from '#lib/domain/record/episode-fact.ts'
import { type Outcome, outcomeReason } from '#lib/domain/record/outcome.ts'
import { FINDINGS } from '#lib/domain/reports/methodology/findings.ts'
import { OUTCOME_WORDS, OutcomeGlyph } from '../run/outcome.tsx'
import { formatDuration, UNKNOWN, visibleText } from '../ui/format.ts'

/** How the episode ended, why, and whose fault it was. */
export function OutcomeBanner({ episode }: { episode: AnyEpisode }) {
  const { outcome, failureCategory } = episode
  const { word } = OUTCOME_WORDS[outcome.status]
  return (
    <div className="flex gap-3 rounded border border-line bg-surface px-4 py-3">
      <OutcomeGlyph className="mt-0.5 size-6" status={outcome.status} />
      <div className="min-w-0">
        <p className="text-base">
          <strong className="font-semibold">{word}</strong>
          {failureCategory ? <span className="text-muted"> · {failureCategory}</span> : null}
        </p>
        {failsHeldOutOnly(episode) ? (
          <p className="text-base">
            Passed all visible tests; behaves differently from the reference on held-out inputs.
          </p>
        ) : null}
        <p className="untrusted text-base">{visibleText(outcomeReason(outcome))}</p>
        <p className="text-muted">
          {whoseFault(outcome)}
          {episode.browser ? null : <TsBenchFlags episode={episode} />}
        </p>
      </div>
    </div>
  )
}

function failsHeldOutOnly(episode: AnyEpisode): boolean {
  const grading = isMeasured(episode) ? gradingFact(episode) : null
  return (
    episode.outcome.status === 'unsolved' && grading?.visible === true && grading.heldOut === false
  )
}

/** What the exercises’ own benchmark would have said; it knows no browser. */
function TsBenchFlags({ episode }: { episode: AnyEpisode }) {
  const { agentSuccess, testSuccess, overallSuccess } = episode
  return (
    <>
      {' '}
      ts-bench flags: agent {yes(agentSuccess)}, tests {yes(testSuccess)}, overall{' '}
      {yes(overallSuccess)}; the board counts the outcome.
    </>
  )
}

function yes(flag: boolean | null): string {
  return flag === null ? UNKNOWN : flag ? 'yes' : 'no'
}

const VOID_OWNERS = {
  harness: 'the harness’s',
  infrastructure: 'the infrastructure’s',
  provider: 'the provider’s',
} as const

/** Whose fault the ending was, and what it counts for. */
function whoseFault(outcome: Outcome): string {
  switch (outcome.status) {
    case 'solved':
      return 'Counts as a success.'
    case 'void':
      return `Fault: ${VOID_OWNERS[outcome.fault]}. Counts for nobody.`
    case 'cancelled':
      return 'Fault: nobody’s. Counts for nobody.'
    default:
      return 'Fault: the subject’s. Counts as no success.'
  }
}

type AttemptsListProps = { episode: AnyEpisode; attempts: readonly EpisodeCell[] }

/** Every attempt of this slot; none is ever overwritten. */
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
              <strong className="font-medium">Attempt {cell.attempt} (this one)</strong>
            ) : (
              <Link className="link" href={`/episodes/${cell.episodeId}`} prefetch={false}>
                Attempt {cell.attempt}
              </Link>
            )}
            <span>{OUTCOME_WORDS[cell.status].word}</span>
            <span className="text-muted">{formatDuration(cell.totalMs)}</span>
          </li>
        ))}
      </ol>
      {episode.previousAttempt ? (
        <p className="untrusted mt-2 text-muted">
          Tried again because: {visibleText(episode.previousAttempt.reason)}
        </p>
      ) : null}
    </>
  )
}

/** What the tamper detectors saw, and which protected files were touched. */
export function IntegrityFindings({ integrity }: Pick<AnyEpisode, 'integrity'>) {
  if (integrity === null)
    return <p className="text-muted">Another program measured it: nobody here watched its files.</p>
  const { findings, protectedFilesTouched } = integrity
  if (findings.length === 0 && protectedFilesTouched.length === 0) {
    return <p className="text-muted">No detector found anything; no protected file was touched.</p>
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
      {protectedFilesTouched.map(({ path, change }) => (
        <li className="untrusted border-line border-t py-1.5" key={path}>
          <code className="mr-2 text-warn text-xs">{change}</code>
          <span className="font-mono text-xs">{visibleText(path)}</span>, a protected file; restored
          before the gate
        </li>
      ))}
    </ul>
  )
}

const MEANINGS: ReadonlyMap<string, string> = new Map(
  FINDINGS.map(({ code, meaning }) => [code, meaning]),
)

/** What a finding means, in one sentence; null = the code is not known here, and its detail stands alone. */
export function findingMeaning(code: string): string | null {
  return MEANINGS.get(code) ?? null
}

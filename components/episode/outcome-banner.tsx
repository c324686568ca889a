import { UNKNOWN } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { OutcomeGlyph } from '#components/run/outcome-glyph.tsx'
import { OUTCOME_WORDS } from '#components/run/outcome-words.ts'
import { gradingFact } from '#lib/domain/board/grading-fact.ts'
import type { Episode } from '#lib/domain/episode.ts'
import { outcomeReason } from '#lib/domain/outcome.ts'
import { whoseFault } from './whose-fault.ts'

/** How the episode ended, why, and whose fault it was. */
export function OutcomeBanner({ episode }: { episode: Episode }) {
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

function failsHeldOutOnly(episode: Episode): boolean {
  const grading = gradingFact(episode)
  return (
    episode.outcome.status === 'unsolved' && grading?.visible === true && grading.heldOut === false
  )
}

/** What the exercises’ own benchmark would have said; it knows no browser. */
function TsBenchFlags({ episode }: { episode: Episode }) {
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

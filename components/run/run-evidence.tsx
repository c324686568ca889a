import Link from 'next/link'
import { EvidenceGlyph } from '#components/board/evidence-glyph.tsx'
import { EVIDENCE_WORDS } from '#components/board/evidence-words.ts'
import { formatPlaces, formatResults } from '#components/board/format-grading.ts'
import { RefusalList } from '#components/board/refusal-list.tsx'
import { RowActions } from '#components/board/row-actions.tsx'
import { plural } from '#components/format/number.ts'
import { formatRate } from '#components/format/rate.ts'
import type { RunView } from '#lib/domain/views/run-view.ts'

/** What the headline gate says of the row that a run counts in. */
export function RunEvidence({ run: { row, suiteId, plan, grading } }: { run: RunView }) {
  if (!row) {
    return (
      <p className="text-muted">
        The run counts in no row: nothing is scored yet, or it was removed.
      </p>
    )
  }
  const { label, refusals, rowId, success, runIds } = row
  const { rate, spread } = formatRate(success.rate, success.low, success.high)
  const others = runIds.length > 1 ? `, with ${plural(runIds.length - 1, 'other run')}` : ''
  return (
    <>
      <p className="mb-2 flex flex-wrap items-center gap-x-2">
        <EvidenceGlyph label={label} />
        <span className="font-medium">{EVIDENCE_WORDS[label].word}</span>
        <span>
          counts{others} in{' '}
          <Link
            className="link"
            href={`/?suite=${encodeURIComponent(suiteId)}&open=${rowId}`}
            prefetch={false}
          >
            its row
          </Link>
          {success.rate === null
            ? ', which has no scored episode yet.'
            : `: ${rate} % ${spread} (${plural(success.tasks, 'task')}, ${plural(success.attempts, 'episode')}).`}
        </span>
      </p>
      {grading ? (
        <p className="mb-2 text-muted">
          This run: {formatResults(grading)} · {formatPlaces(grading)}
        </p>
      ) : null}
      <RefusalList refusals={refusals} />
      <RowActions
        refusals={refusals}
        rowId={rowId}
        subject={{ name: plan.subject.name, model: plan.subject.modelRequested }}
        suiteId={suiteId}
      />
    </>
  )
}

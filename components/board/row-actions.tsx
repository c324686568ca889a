import Link from 'next/link'
import type { Refusal } from '#lib/domain/board/board-row.ts'

type RowActionsProps = {
  rowId: string
  refusals: readonly Refusal[]
  suiteId: string
  subject: { name: string; model: string | null }
}

/** The rules that a top-up can satisfy. */
const MENDED_BY_SAMPLES: ReadonlySet<string> = new Set(['samples', 'complete'])

/** Actions on an entry: plan the missing samples, compare it with others. */
export function RowActions({ rowId, refusals, suiteId, subject }: RowActionsProps) {
  const lacksSamples = refusals.some(({ code }) => MENDED_BY_SAMPLES.has(code))
  const query = new URLSearchParams({
    suite: suiteId,
    subject: subject.name,
    ...(subject.model === null ? {} : { model: subject.model }),
  })
  return (
    <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1">
      {lacksSamples ? (
        <Link className="link" href={`/plan?topUp=${rowId}`} prefetch={false}>
          Plan missing runs
        </Link>
      ) : null}
      <Link className="link" href={`/compare?rows=${rowId}`} prefetch={false}>
        Compare with other entries
      </Link>
      <Link className="link" href={`/history?${query}`} prefetch={false}>
        History
      </Link>
      <a className="link" download href={`/api/v1/rows/${rowId}/export?format=csv`}>
        Episodes as CSV
      </a>
      <a className="link" download href={`/api/v1/rows/${rowId}/export?format=eee`}>
        Every Eval Ever
      </a>
    </p>
  )
}

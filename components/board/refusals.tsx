import type { RuleRefusal } from '#lib/domain/eligibility/index.ts'
import { visibleText } from '../ui/format.ts'

/** The evidence rules that an entry does not meet, each with its fix. */
export function RefusalList({ refusals }: { refusals: readonly RuleRefusal[] }) {
  return (
    <ol className="space-y-2">
      {refusals.map(({ code, reason, remedy }) => (
        <li className="border-line-strong border-l-2 pl-3" key={`${code} ${reason}`}>
          <p className="untrusted">
            <a
              className="link mr-2 font-mono text-muted text-xs"
              href={`/methodology/evidence#gate-${code}`}
            >
              {code}
            </a>
            {visibleText(reason)}
          </p>
          <p className="untrusted text-muted">Fix: {visibleText(remedy)}</p>
        </li>
      ))}
    </ol>
  )
}

type RowActionsProps = {
  rowId: string
  refusals: readonly RuleRefusal[]
  suiteId: string
  subject: { name: string; modelRequested: string | null }
}

/** The rules that a top-up can satisfy. */
const FIXED_BY_SAMPLES: ReadonlySet<string> = new Set(['samples', 'complete'])

/** Actions on an entry: plan the missing samples, compare it with others. */
export function RowActions({ rowId, refusals, suiteId, subject }: RowActionsProps) {
  const lacksSamples = refusals.some(({ code }) => FIXED_BY_SAMPLES.has(code))
  const query = new URLSearchParams({
    suite: suiteId,
    subject: subject.name,
    ...(subject.modelRequested === null ? {} : { model: subject.modelRequested }),
  })
  return (
    <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1">
      {lacksSamples ? (
        <a className="link" href={`/plan?topUp=${rowId}`}>
          Plan missing runs
        </a>
      ) : null}
      <a className="link" href={`/compare?rows=${rowId}`}>
        Compare with other entries
      </a>
      <a className="link" href={`/history?${query}`}>
        History
      </a>
      <a className="link" download href={`/api/v1/rows/${rowId}/export?format=csv`}>
        Episodes as CSV
      </a>
      <a className="link" download href={`/api/v1/rows/${rowId}/export?format=eee`}>
        Entry as Every Eval Ever
      </a>
    </p>
  )
}

import Link from 'next/link'
import { FactList } from '#components/ui/fact-list.tsx'
import { EVIDENCE_WORDS } from './evidence-words.ts'
import type { TableRow } from './table-row.ts'

/** The rules that a top-up can satisfy. */
const MENDED_BY_SAMPLES: ReadonlySet<string> = new Set(['samples', 'complete'])

/** What an opened row shows: why it is no claim and what would mend it, then how it was measured. */
export function RowDetails({ row }: { row: TableRow }) {
  const runs = row.runIds.slice(-5).reverse()
  return (
    <div className="grid gap-x-10 gap-y-5 whitespace-normal lg:grid-cols-2">
      <div>
        <p className="mb-2 font-medium">
          {row.refusals.length > 0 ? 'Why this is not a claim' : EVIDENCE_WORDS[row.label].meaning}
        </p>
        <ol className="space-y-2">
          {row.refusals.map(({ code, reason, remedy }) => (
            <li className="border-line-strong border-l-2 pl-3" key={`${code} ${reason}`}>
              <p className="untrusted">
                <Link
                  className="link mr-2 font-mono text-muted text-xs"
                  href={`/methodology#gate-${code}`}
                  prefetch={false}
                >
                  {code}
                </Link>
                {reason}
              </p>
              <p className="untrusted text-muted">To mend it: {remedy}</p>
            </li>
          ))}
        </ol>
        <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1">
          {row.refusals.some(({ code }) => MENDED_BY_SAMPLES.has(code)) ? (
            <Link className="link" href={`/plan?topUp=${row.id}`} prefetch={false}>
              Plan the missing samples
            </Link>
          ) : null}
          <Link className="link" href={`/compare?rows=${row.id}`} prefetch={false}>
            Compare with other rows
          </Link>
        </p>
      </div>
      <FactList
        facts={[
          ...row.facts,
          {
            name: row.runIds.length > runs.length ? 'Last runs' : 'Runs',
            value: (
              <span className="flex flex-wrap gap-x-3">
                {runs.map((runId) => (
                  <Link className="link" href={`/runs/${runId}`} key={runId} prefetch={false}>
                    {runId}
                  </Link>
                ))}
              </span>
            ),
          },
        ]}
      />
    </div>
  )
}

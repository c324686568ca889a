import Link from 'next/link'
import { FactList } from '#components/ui/fact-list.tsx'
import { BadgeLine } from './badge-line.tsx'
import { EVIDENCE_WORDS } from './evidence-words.ts'
import { RefusalList } from './refusal-list.tsx'
import { ReliabilityChart } from './reliability-chart.tsx'
import { RowActions } from './row-actions.tsx'
import type { TableRow } from './table-row.ts'

/** Details of an open row: why it is not ranked, how to fix that, and how it was measured. */
export function RowDetails({ row }: { row: TableRow }) {
  const runs = row.runIds.slice(-5).reverse()
  return (
    <div className="grid gap-x-10 gap-y-5 whitespace-normal lg:grid-cols-2">
      <div>
        <p className="mb-2 font-medium">
          {row.refusals.length > 0
            ? 'Why this entry is not ranked'
            : EVIDENCE_WORDS[row.label].meaning}
        </p>
        <RefusalList refusals={row.refusals} />
        <RowActions
          refusals={row.refusals}
          rowId={row.id}
          subject={row.subject}
          suiteId={row.suiteId}
        />
        <BadgeLine rowId={row.id} />
        {row.reliability ? (
          <ReliabilityChart reliability={row.reliability} solid={row.pool !== null} />
        ) : null}
      </div>
      <FactList
        facts={[
          ...row.facts,
          {
            name: row.runIds.length > runs.length ? 'Latest runs' : 'Runs',
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

import Link from 'next/link'
import { UNKNOWN } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { PlainTable } from '#components/ui/plain-table.tsx'
import type { PreviewRun } from '#lib/domain/ingest/upload-preview.ts'
import { sayCounts } from './upload-words.ts'

const HEAD = ['Run', 'Suite', 'Subject', 'Planned', 'Contents', 'Notes'] as const

type PreviewRunsProps = { runs: readonly PreviewRun[]; isCommitted: boolean }

/** The runs of an upload, with links to those that are stored. */
export function PreviewRuns({ runs, isCommitted }: PreviewRunsProps) {
  const rows = runs.map((run) => ({
    key: run.runId,
    cells: {
      Run: <RunName isKept={isCommitted || run.state === 'known'} run={run} />,
      Suite: <SuiteName run={run} />,
      Subject: run.subject === null ? UNKNOWN : visibleText(run.subject),
      Planned: run.planned ?? UNKNOWN,
      Contents: sayCounts(run.counts),
      Notes: run.notes.length > 0 ? visibleText(run.notes.join(' ')) : UNKNOWN,
    },
  }))
  return (
    <PlainTable caption="Runs in this upload" head={HEAD} rows={rows} wide={['Run', 'Notes']} />
  )
}

function RunName({ run: { runId, shard, state }, isKept }: { run: PreviewRun; isKept: boolean }) {
  return (
    <>
      {isKept ? (
        <Link href={`/runs/${runId}`} prefetch={false}>
          {runId}
        </Link>
      ) : (
        visibleText(runId)
      )}
      {shard ? <span className="text-muted"> shard {shard}</span> : null}
      {isKept ? null : <span className="text-muted"> {state}</span>}
    </>
  )
}

function SuiteName({ run: { suiteId, suite } }: { run: PreviewRun }) {
  if (suiteId === null) return UNKNOWN
  if (suite === 'unknown' || suite === 'told') return visibleText(suiteId)
  return (
    <Link href={`/?suite=${encodeURIComponent(suiteId)}`} prefetch={false}>
      {suiteId}
    </Link>
  )
}

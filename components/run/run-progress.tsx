import { visibleText } from '#components/format/visible-text.ts'
import { ProgressBar } from '#components/ui/progress-bar.tsx'
import type { RunSummary } from '#lib/domain/views/run-view.ts'
import { RunStatusMark } from './run-status.tsx'
import { progressText, RUN_WORDS } from './run-words.ts'

/** The runner's state, how far it is, and what stopped it. */
export function RunProgress({ run }: { run: RunSummary }) {
  return (
    <div className="rounded border border-line bg-surface px-4 py-3">
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <RunStatusMark status={run.status} />
        <span>{progressText(run)}</span>
        <span className="untrusted text-muted">
          {run.reason ? visibleText(run.reason) : RUN_WORDS[run.status].meaning}
        </span>
      </div>
      <ProgressBar done={run.sealed} label="Sealed episodes" total={run.planned} />
    </div>
  )
}

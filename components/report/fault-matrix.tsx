import Link from 'next/link'
import { EVIDENCE_WORDS, EvidenceGlyph } from '#components/board/evidence.tsx'
import { formatCount, formatDuration, visibleText } from '#components/ui/format.ts'
import { ScrollBox } from '#components/ui/table.tsx'
import type { RungCounts } from '#lib/domain/board/row-figures.ts'
import { rungSchema } from '#lib/domain/record/browser.ts'
import type { FaultCell, FaultGroup, FaultRow } from '#lib/domain/reports/axis-report.ts'
import { formatRung, formatWay, RUNG_WORDS } from '#lib/domain/tasks/browser-labels.ts'

type FaultMatrixProps = { groups: readonly FaultGroup[]; suiteId: string }

const RUNGS = rungSchema.options

/** Rows by tasks for each fault; a cell shows how many faults were recovered from. */
export function FaultMatrix({ groups, suiteId }: FaultMatrixProps) {
  return (
    <>
      <p className="mb-3 max-w-4xl text-muted">
        Cells show recovered/injected faults and, in parentheses, solved/scored episodes without the
        fault. Recovery levels: {RUNGS.map(formatRung).join(', ')}.
      </p>
      {groups.map((group) => (
        <section aria-labelledby={`fault-${group.fault}`} className="mb-6" key={group.fault}>
          <h3 className="mb-1 font-medium" id={`fault-${group.fault}`}>
            <span className="untrusted">{visibleText(group.fault)}</span>
            {group.what ? (
              <span className="font-normal text-muted">
                {' '}
                · {group.what}; injected by {group.by}
              </span>
            ) : null}
          </h3>
          <GroupTable group={group} suiteId={suiteId} />
        </section>
      ))}
    </>
  )
}

function GroupTable({ group, suiteId }: { group: FaultGroup; suiteId: string }) {
  const { fault, tasks, rows } = group
  const head = 'border-line-strong border-b py-1.5 pr-4 align-bottom font-normal'
  return (
    <ScrollBox aria-label={`Entries with fault ${fault}`} className="overflow-x-auto">
      <table className="w-full border-line border-b">
        <caption className="sr-only">Entries by task with fault {fault}</caption>
        <thead>
          <tr className="text-left text-muted text-xs">
            <th className={head} scope="col">
              Entry
            </th>
            <th className={`min-w-40 ${head}`} scope="col">
              Recovery
            </th>
            <th className={`${head} whitespace-nowrap text-right`} scope="col">
              Detected, p50
            </th>
            {tasks.map(({ taskId, title }) => (
              <th className={`untrusted min-w-16 ${head}`} key={taskId} scope="col" title={title}>
                {taskId}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <MatrixLine key={row.rowId} row={row} suiteId={suiteId} tasks={tasks} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

type MatrixLineProps = { row: FaultRow; tasks: FaultGroup['tasks']; suiteId: string }

function MatrixLine({ row, tasks, suiteId }: MatrixLineProps) {
  const { subject, label, detectMs } = row
  const rest = [subject.version, subject.modelRequested, formatWay(row)].filter(Boolean)
  return (
    <tr className="border-line border-t" data-row={row.rowId}>
      <th className="min-w-44 py-1 pr-4 text-left font-normal" scope="row">
        <span className="flex items-center gap-1.5" title={EVIDENCE_WORDS[label].meaning}>
          <EvidenceGlyph label={label} />
          <Link
            className="link untrusted font-medium"
            href={`/?suite=${encodeURIComponent(suiteId)}&open=${encodeURIComponent(row.rowId)}`}
            prefetch={false}
          >
            {visibleText(subject.name)}
          </Link>
          <span className="sr-only">{EVIDENCE_WORDS[label].word}</span>
        </span>
        <span className="untrusted block text-muted text-xs">{visibleText(rest.join(' · '))}</span>
      </th>
      <td className="pr-4 text-muted text-xs">{sayRungs(row.rungs)}</td>
      <td
        className="whitespace-nowrap pr-4 text-right"
        title={detectMs ? `Detected in ${formatCount(detectMs.episodes)} episodes` : 'Not measured'}
      >
        {formatDuration(detectMs?.p50 ?? null)}
      </td>
      {tasks.map(({ taskId }) => (
        <MatrixCell cell={row.cells[taskId]} key={taskId} />
      ))}
    </tr>
  )
}

function MatrixCell({ cell }: { cell: FaultCell | undefined }) {
  if (!cell) {
    return (
      <td className="pr-4 text-muted" title="Not measured">
        –
      </td>
    )
  }
  const { fired, recovered, scored, baseline, rungs, detectMs } = cell
  const story = [
    `${formatCount(scored)} scored, fault injected in ${formatCount(fired)}, recovered in ${formatCount(recovered)}`,
    baseline
      ? `without the fault ${baseline.solved} of ${baseline.scored} solved`
      : 'not measured without the fault',
    rungs ? sayRungs(rungs) : null,
    detectMs === null ? null : `detected after ${formatDuration(detectMs)}`,
  ]
  return (
    <td className="whitespace-nowrap pr-4" title={story.filter(Boolean).join(' · ')}>
      <span className={toneOf(cell)}>
        {fired === 0 ? 'not injected' : `${formatCount(recovered)}/${formatCount(fired)}`}
      </span>{' '}
      <span className="text-muted text-xs">
        ({baseline ? `${formatCount(baseline.solved)}/${formatCount(baseline.scored)}` : '–'})
      </span>
    </td>
  )
}

/** Colour in addition to the text. */
function toneOf({ fired, recovered }: FaultCell): string {
  if (fired === 0) return 'text-muted'
  if (recovered === fired) return 'font-medium text-good'
  return recovered === 0 ? 'font-medium text-bad' : 'font-medium'
}

function sayRungs(rungs: RungCounts | null): string {
  if (rungs === null) return '–'
  const used = RUNGS.filter((rung) => rungs[rung] > 0)
  if (used.length === 0) return 'none needed'
  return used.map((rung) => `${RUNG_WORDS[rung].short} ${formatCount(rungs[rung])}`).join(' · ')
}

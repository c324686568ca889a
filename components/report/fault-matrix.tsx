import { EvidenceGlyph } from '#components/board/evidence.tsx'
import type { DataColumn } from '#components/ui/data-column.ts'
import { formatCount, formatDuration, visibleText } from '#components/ui/format.ts'
import { DataTable } from '#components/ui/table.tsx'
import { EVIDENCE_WORDS, type RungCounts } from '#lib/domain/board/index.ts'
import { modelLabel, rungSchema } from '#lib/domain/record/index.ts'
import type { FaultCell, FaultGroup, FaultRow } from '#lib/domain/reports/index.ts'
import { formatRung, formatWay, RUNG_LABELS } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'

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
  return (
    <DataTable
      caption={`Tasks and rows with fault ${fault}`}
      cellClass="pr-4"
      columns={[
        {
          head: 'Entry',
          cell: (row) => <FaultSubject row={row} suiteId={suiteId} />,
          rowHeader: 'font-normal',
          cellClass: 'min-w-44 py-1',
        },
        {
          head: 'Recovery',
          cell: ({ rungs }) => formatRungs(rungs),
          headClass: 'min-w-40',
          cellClass: 'text-muted text-xs',
        },
        {
          head: 'Detected, p50',
          cell: ({ detectMs }) => formatDuration(detectMs?.p50 ?? null),
          cellTitle: ({ detectMs }) =>
            detectMs ? `Detected in ${countOf(detectMs.episodes, 'episode')}` : 'Not measured',
          numeric: true,
          className: 'whitespace-nowrap',
        },
        ...tasks.map(taskColumn),
      ]}
      headClass="border-line-strong border-b py-1.5 pr-4 align-bottom text-muted text-xs"
      keyOf={({ rowId }) => rowId}
      rowProps={({ rowId }) => ({ 'data-row': rowId })}
      rows={rows}
      scroll={{ name: `Entries with fault ${fault}` }}
    />
  )
}

function FaultSubject({ row, suiteId }: { row: FaultRow; suiteId: string }) {
  const { subject, label } = row
  const rest = [subject.version, modelLabel(subject), formatWay(row)].filter(Boolean)
  return (
    <>
      <span className="flex items-center gap-1.5" title={EVIDENCE_WORDS[label].meaning}>
        <EvidenceGlyph label={label} />
        <a
          className="link untrusted font-medium"
          href={`/?suite=${encodeURIComponent(suiteId)}&open=${encodeURIComponent(row.rowId)}`}
        >
          {visibleText(subject.name)}
        </a>
        <span className="sr-only">{EVIDENCE_WORDS[label].word}</span>
      </span>
      <span className="untrusted block text-muted text-xs">{visibleText(rest.join(' · '))}</span>
    </>
  )
}

function taskColumn({ taskId, title }: FaultGroup['tasks'][number]): DataColumn<FaultRow> {
  return {
    id: taskId,
    head: taskId,
    title,
    headClass: 'untrusted min-w-16',
    cell: ({ cells }) => <FaultCellText cell={cells[taskId]} />,
    cellTitle: ({ cells }) => faultStory(cells[taskId]),
    cellClass: ({ cells }) => (cells[taskId] ? 'whitespace-nowrap' : 'text-muted'),
  }
}

function faultStory(cell: FaultCell | undefined): string {
  if (!cell) return 'Not measured'
  const { fired, recovered, scored, baseline, rungs, detectMs } = cell
  const story = [
    `${formatCount(scored)} scored, fault injected in ${formatCount(fired)}, recovered in ${formatCount(recovered)}`,
    baseline
      ? `without the fault ${baseline.solved} of ${baseline.scored} solved`
      : 'not measured without the fault',
    rungs ? formatRungs(rungs) : null,
    detectMs === null ? null : `detected after ${formatDuration(detectMs)}`,
  ]
  return story.filter(Boolean).join(' · ')
}

function FaultCellText({ cell }: { cell: FaultCell | undefined }) {
  if (!cell) return '–'
  const { fired, recovered, baseline } = cell
  return (
    <>
      <span className={toneOf(cell)}>
        {fired === 0 ? 'not injected' : `${formatCount(recovered)}/${formatCount(fired)}`}
      </span>{' '}
      <span className="text-muted text-xs">
        ({baseline ? `${formatCount(baseline.solved)}/${formatCount(baseline.scored)}` : '–'})
      </span>
    </>
  )
}

/** Colour in addition to the text. */
function toneOf({ fired, recovered }: FaultCell): string {
  if (fired === 0) return 'text-muted'
  if (recovered === fired) return 'font-medium text-good'
  return recovered === 0 ? 'font-medium text-bad' : 'font-medium'
}

function formatRungs(rungs: RungCounts | null): string {
  if (rungs === null) return '–'
  const used = RUNGS.filter((rung) => rungs[rung] > 0)
  if (used.length === 0) return 'none needed'
  return used.map((rung) => `${RUNG_LABELS[rung].short} ${formatCount(rungs[rung])}`).join(' · ')
}

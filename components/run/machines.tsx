import type { MachinesView, MachineView } from '#lib/domain/api/index.ts'
import { countOf, pluralForm } from '#lib/domain/text/index.ts'
import type { DataColumn } from '../ui/data-column.ts'
import { formatInstant, UNKNOWN, visibleText } from '../ui/format.ts'
import { LiveRefresh } from '../ui/live-refresh.tsx'
import { DataTable } from '../ui/table.tsx'

const WORDS: Record<MachineView['state'], { label: string; tone: string }> = {
  waiting: { label: 'Waiting', tone: 'text-muted' },
  running: { label: 'Running', tone: 'text-accent' },
  failed: { label: 'Failed, will retry', tone: 'text-warn' },
  done: { label: 'Done', tone: 'text-good' },
  'given-up': { label: 'Given up', tone: 'text-bad' },
  cancelled: { label: 'Cancelled', tone: 'text-muted' },
}

const COLUMNS: readonly DataColumn<MachineView>[] = [
  { head: 'Shard', cell: ({ number }) => number, rowHeader: 'font-medium' },
  { head: 'State', cell: (machine) => <State machine={machine} /> },
  { head: 'Finished', cell: ({ sealed, planned }) => `${sealed}/${planned}`, numeric: true },
  { head: 'Tries', cell: ({ tries }) => tries, numeric: true },
  {
    head: 'Host',
    cell: ({ host }) => (
      <span className="untrusted">{host === null ? UNKNOWN : visibleText(host)}</span>
    ),
  },
  {
    head: 'Last progress',
    cell: ({ reportedAt }) => (reportedAt === null ? UNKNOWN : formatInstant(reportedAt)),
  },
]

/** Shards of a run on other machines, with their states and last messages. */
export function Machines({ view, live }: { view: MachinesView; live: boolean }) {
  const lost = view.machines.reduce((sum, machine) => sum + machine.lost, 0)
  return (
    <>
      <LiveRefresh active={live} />
      <DataTable
        cards="md"
        caption="Shards of this run"
        columns={COLUMNS}
        keyOf={({ number }) => String(number)}
        rows={view.machines}
      />
      {lost > 0 ? (
        <p className="mt-2 text-muted">
          {countOf(lost, 'attempt')} began without a result and {pluralForm(lost, 'is', 'are')}{' '}
          excluded from scoring.
        </p>
      ) : null}
    </>
  )
}

function State({ machine: { state, reason } }: { machine: MachineView }) {
  const { label, tone } = WORDS[state]
  return (
    <>
      <span className={tone}>{label}</span>
      {reason === null ? null : (
        <span className="untrusted block text-muted text-sm">{visibleText(reason)}</span>
      )}
    </>
  )
}

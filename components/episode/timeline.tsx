import type { AnyEpisode, TracedAction } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { FigureChart } from '../charts/figure-chart.tsx'
import { phaseChart } from '../charts/phase-chart.ts'
import { Table } from '../table/table.tsx'
import { durationColumn, textColumn } from '../ui/columns.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { formatDuration, percentOf, UNKNOWN, visibleText } from '../ui/format.ts'
import { DataTable } from '../ui/table.tsx'

/** Colours of the theme. */
const TONES: Readonly<Record<string, string>> = {
  prepare: 'line-strong',
  subject: 'accent',
  restore: 'warn',
  verify: 'good',
  evidence: 'muted',
  'between phases': 'line',
}

type PhaseTimelineProps = { wall: AnyEpisode['effort']['wall']; hasBrowser: boolean }

/** Time by phase as a bar and a table. */
export function PhaseTimeline({ wall, hasBrowser }: PhaseTimelineProps) {
  const segments = phaseSegments(wall, hasBrowser)
  const whatRuns = hasBrowser ? 'library' : 'agent'
  const labelOf = (name: string) => (name === 'subject' ? whatRuns : name)
  const chart = phaseChart(
    segments.map(({ name, what, ms }) => ({
      name: labelOf(name),
      what,
      ms,
      tone: TONES[name] ?? 'muted',
    })),
  )
  return (
    <>
      {chart ? <FigureChart chart={chart} /> : null}
      <DataTable
        caption="Time by phase"
        className="mt-2 w-full max-w-xl"
        columns={PHASE_COLUMNS}
        headClass=""
        hiddenHead
        keyOf={({ name }) => name}
        rowProps={({ what, isWhole }) => (isWhole ? {} : { className: '', title: what })}
        rows={[
          ...segments.map((segment) => {
            return { ...segment, label: labelOf(segment.name), isWhole: false }
          }),
          { name: 'total', label: 'total', what: '', ms: wall.totalMs, share: 1, isWhole: true },
        ]}
      />
    </>
  )
}

type Wall = AnyEpisode['effort']['wall']
type PhaseSegment = { name: string; what: string; ms: number; share: number }
type PhaseRow = Omit<PhaseSegment, 'ms'> & { label: string; ms: number | null; isWhole: boolean }

const PHASE_COLUMNS: readonly DataColumn<PhaseRow>[] = [
  {
    head: 'Phase',
    cell: ({ name, label, isWhole }) => (
      <>
        {isWhole ? null : (
          <span
            aria-hidden="true"
            className="mr-2 inline-block size-2.5 rounded-xs border border-line forced-color-adjust-none"
            style={{ background: `var(--${TONES[name]})` }}
          />
        )}
        <span className={isWhole ? 'font-medium' : undefined}>{label}</span>
      </>
    ),
    rowHeader: 'font-normal',
    cellClass: 'py-0.5',
  },
  {
    head: 'Time',
    cell: ({ ms }) => formatDuration(ms),
    cellTitle: ({ ms, isWhole }) => (isWhole ? undefined : `${ms} ms`),
    numeric: true,
    cellClass: ({ isWhole }) => (isWhole ? 'font-medium' : undefined),
  },
  {
    head: 'Share, %',
    cell: ({ share, isWhole }) => (isWhole ? null : percentOf(share)),
    numeric: true,
    cellClass: ({ isWhole }) => (isWhole ? undefined : 'w-20 text-muted'),
  },
]

const PHASES = [
  ['prepare', 'prepareMs', 'A clean workspace is created.', 'App and browser are started.'],
  ['subject', 'subjectMs', 'The agent runs.', 'The library connects and runs.'],
  ['restore', 'restoreMs', 'Protected files are restored.', 'Nothing to restore.'],
  [
    'verify',
    'verifyMs',
    'Types and tests run in a fresh environment.',
    'The final state is read and evaluated.',
  ],
  [
    'evidence',
    'evidenceMs',
    'Logs, diff and solution are stored.',
    'Screenshot, trace and state are stored; the browser is reset.',
  ],
] as const

/** Known phases in order with their share of the total; unaccounted time comes last. */
export function phaseSegments(wall: Wall, hasBrowser = false): PhaseSegment[] {
  const named = PHASES.flatMap(([name, key, what, withBrowser]) => {
    const ms = wall[key]
    return ms === null ? [] : [{ name, what: hasBrowser ? withBrowser : what, ms }]
  })
  const sum = named.reduce((total, { ms }) => total + ms, 0)
  const rest = (wall.totalMs ?? sum) - sum
  const all =
    rest > 0.5
      ? [...named, { name: 'between phases', what: 'Time outside the phases.', ms: rest }]
      : named
  const whole = Math.max(wall.totalMs ?? sum, sum)
  return all.map((segment) => ({ ...segment, share: whole > 0 ? segment.ms / whole : 0 }))
}

const MAX_SHOWN = 1000
type ShownAction = { place: number; action: TracedAction; isNewStep: boolean }

const TRACE_COLUMNS: readonly DataColumn<ShownAction>[] = [
  durationColumn('Time', ({ action }) => action.startMs, {
    cellTitle: ({ action }) => `${action.startMs} ms`,
    headClass: 'w-20',
    cellClass: 'whitespace-nowrap pr-4 text-muted',
  }),
  {
    head: 'Step',
    csv: ({ action }) => action.step,
    facet: ({ action }) => action.step,
    cell: ({ action, isNewStep }) => (
      <span className={isNewStep ? undefined : 'text-muted'}>
        {visibleText(action.step ?? UNKNOWN)}
      </span>
    ),
    cellClass: 'untrusted pr-4',
  },
  textColumn('Action', ({ action }) => action.action, {
    headClass: 'w-28',
    cellClass: 'whitespace-nowrap pr-4',
  }),
  {
    head: 'Target',
    csv: ({ action: { target, error } }) => [target, error].filter(Boolean).join(': ') || null,
    cell: ({ action: { target, error } }) => (
      <>
        {target === null ? '' : visibleText(target)}
        {error ? (
          <span className="block whitespace-pre-wrap font-sans text-bad text-sm">
            {visibleText(error)}
          </span>
        ) : null}
      </>
    ),
    cellClass: 'untrusted pr-4 font-mono text-xs',
  },
  durationColumn('Duration', ({ action }) => action.durationMs, {
    descends: true,
    cellTitle: ({ action }) => `${action.durationMs} ms`,
    headClass: 'w-24',
    cellClass: 'whitespace-nowrap pr-4',
  }),
]

type StepTraceProps = { trace: readonly TracedAction[] | null; isElsewhere: boolean }

/** Every action of the library in order; a step's name is shown at its first action. */
export function StepTrace({ trace, isElsewhere }: StepTraceProps) {
  if (trace === null)
    return (
      <p className="text-muted">
        {isElsewhere ? 'The step trace is not in this data folder.' : 'No step trace is stored.'}
      </p>
    )
  if (trace.length === 0) return <p className="text-muted">The library performed no actions.</p>
  const shown = trace.slice(0, MAX_SHOWN)
  return (
    <>
      <Table
        caption="Steps of the library"
        cellClass="py-1"
        className="w-full min-w-[40rem]"
        name="steps"
        what="action"
        columns={TRACE_COLUMNS}
        headClass="sticky top-0 h-9 border-line-strong border-b bg-bg pr-4 text-muted text-xs"
        keyOf={({ place }) => place}
        rowProps={({ action: { error }, isNewStep }) => ({
          className: `align-baseline ${isNewStep ? 'border-line border-t' : ''} ${error ? 'bg-bad-soft' : ''}`,
        })}
        rows={shown.map((action, place) => ({
          place,
          action,
          isNewStep: place === 0 || action.step !== (trace[place - 1]?.step ?? null),
        }))}
        scroll={{
          name: 'Steps of the library',
          className: 'max-h-[36rem] overflow-auto border-line border-b',
        }}
      />
      {trace.length > shown.length ? (
        <p className="mt-2 text-muted">and {countOf(trace.length - shown.length, 'more action')}</p>
      ) : null}
    </>
  )
}

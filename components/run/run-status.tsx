import type { RunState, RunSummary } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { classNames } from '../ui/class-names.ts'
import { formatCount } from '../ui/format.ts'
import { Ban, Check, CircleDashed, CircleSlash, Play, TriangleAlert } from '../ui/icons.tsx'

type RunStatus = RunSummary['status']

const ICONS = {
  queued: CircleDashed,
  running: Play,
  done: Check,
  failed: TriangleAlert,
  cancelled: Ban,
  incomplete: CircleSlash,
}

const TONES: Record<RunStatus, string> = {
  queued: 'text-muted',
  running: 'text-accent',
  done: 'text-good',
  failed: 'text-bad',
  cancelled: 'text-muted',
  incomplete: 'text-muted',
}

/** Icon and name of a run's status. */
export function RunStatusMark({ status }: { status: RunStatus }) {
  const Icon = ICONS[status]
  const { word, meaning } = RUN_STATUS_LABELS[status]
  return (
    <span
      className={classNames('inline-flex items-center gap-1.5 whitespace-nowrap', TONES[status])}
      title={meaning}
    >
      <Icon aria-hidden size={14} />
      {word}
    </span>
  )
}

/** Name and description of each run status. */
export const RUN_STATUS_LABELS: Record<RunStatus, { word: string; meaning: string }> = {
  queued: { word: 'queued', meaning: 'Waiting for a worker.' },
  running: { word: 'running', meaning: 'Episodes are running.' },
  done: { word: 'done', meaning: 'All planned episodes are finished.' },
  failed: { word: 'failed', meaning: 'The runner stopped. Finished episodes are saved.' },
  cancelled: { word: 'cancelled', meaning: 'Cancelled by a user. Finished episodes are saved.' },
  incomplete: {
    word: 'incomplete',
    meaning:
      'Some planned episodes are missing: the run was stopped, or parts of it are not here yet.',
  },
}

/** True while more episodes can arrive. */
export function isActive({ status }: Pick<RunSummary, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/**
 * Formats `12/25 finished, 10 solved, 1 excluded`, or `queued` while the number of episodes is unknown. Cancelled is
 * not finished.
 */
export function progressText({
  status,
  sealed,
  owed,
  solved,
  voids,
  voidAttempts,
  cancelled,
}: Pick<
  RunSummary,
  'status' | 'sealed' | 'owed' | 'solved' | 'voids' | 'voidAttempts' | 'cancelled'
>): string {
  if (status === 'queued' && owed === 0) return RUN_STATUS_LABELS.queued.word
  const parts = [
    `${formatCount(sealed - cancelled)}/${formatCount(owed)} finished`,
    `${formatCount(solved)} solved`,
  ]
  if (voids > 0) parts.push(`${formatCount(voids)} excluded`)
  const again = voidAttempts - voids
  if (again > 0) parts.push(`${countOf(again, 'excluded attempt')} retried`)
  return parts.join(', ')
}

type Progress = Pick<RunSummary, 'status' | 'planned' | 'owed' | 'sealed' | 'cancelled'>

/** Returns the state of planned episodes without a result; null = all have one. */
export function restOf(run: Progress): 'pending' | 'not needed' | 'missing' | null {
  if (isActive(run)) return 'pending'
  if (run.sealed >= run.planned) return null
  return run.owed < run.planned && run.sealed - run.cancelled >= run.owed ? 'not needed' : 'missing'
}

type RunCountersProps = { state: Progress & Pick<RunState, 'solved' | 'voids'> }

const REST_NAMES = { pending: 'Pending', 'not needed': 'Not needed', missing: 'Missing' }

/** Progress of a run in four numbers, and a fifth if attempts were cancelled. */
export function RunCounters({ state }: RunCountersProps) {
  const { planned, sealed, solved, voids, cancelled } = state
  const rest = restOf(state)
  const counters = [
    { name: 'Solved', count: solved, tone: 'text-good' },
    { name: 'Failed', count: sealed - solved - voids - cancelled, tone: 'text-bad' },
    { name: 'Excluded', count: voids, tone: 'text-muted' },
    ...(rest ? [{ name: REST_NAMES[rest], count: planned - sealed, tone: 'text-muted' }] : []),
    ...(cancelled > 0 ? [{ name: 'Cancelled', count: cancelled, tone: 'text-muted' }] : []),
  ]
  return (
    <dl className="mt-3 grid grid-cols-2 gap-x-8 gap-y-1 sm:flex">
      {counters.map(({ name, count, tone }) => (
        <div className="flex items-baseline gap-x-2" key={name}>
          <dt className="order-2 text-muted">{name}</dt>
          <dd className={`font-semibold text-xl tabular-nums ${tone}`}>
            {formatCount(Math.max(0, count))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

import { Ban, Check, CircleDashed, Play, TriangleAlert } from 'lucide-react'
import type { RunStatus, RunSummary } from '#lib/domain/api/index.ts'
import { classNames } from '../ui/class-names.ts'
import { formatCount, plural } from '../ui/format.ts'

const ICONS = {
  queued: CircleDashed,
  running: Play,
  done: Check,
  failed: TriangleAlert,
  cancelled: Ban,
}

const TONES: Record<RunStatus, string> = {
  queued: 'text-muted',
  running: 'text-accent',
  done: 'text-good',
  failed: 'text-bad',
  cancelled: 'text-muted',
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
}

/** True while more episodes can arrive. */
export function isActive({ status }: Pick<RunSummary, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** `12/25 finished, 10 solved, 1 excluded`; `queued` while the number of episodes is not known yet. */
export function progressText({
  status,
  sealed,
  planned,
  solved,
  voids,
  voidAttempts,
}: Pick<
  RunSummary,
  'status' | 'sealed' | 'planned' | 'solved' | 'voids' | 'voidAttempts'
>): string {
  if (status === 'queued' && planned === 0) return RUN_STATUS_LABELS.queued.word
  const parts = [
    `${formatCount(sealed)}/${formatCount(planned)} finished`,
    `${formatCount(solved)} solved`,
  ]
  if (voids > 0) parts.push(`${formatCount(voids)} excluded`)
  const again = voidAttempts - voids
  if (again > 0) parts.push(`${plural(again, 'excluded attempt')} retried`)
  return parts.join(', ')
}

import { Ban, Check, CircleDashed, Play, TriangleAlert } from 'lucide-react'
import type { RunStatus, RunSummary } from '#lib/domain/api/run-view.ts'
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

/** Icon and word of a run's state. */
export function RunStatusMark({ status }: { status: RunStatus }) {
  const Icon = ICONS[status]
  const { word, meaning } = RUN_WORDS[status]
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

/** The state of a run, in a word and a sentence. */
export const RUN_WORDS: Record<RunStatus, { word: string; meaning: string }> = {
  queued: { word: 'queued', meaning: 'Waits for the worker.' },
  running: { word: 'running', meaning: 'Episodes are being sealed.' },
  done: { word: 'done', meaning: 'Every planned episode is sealed.' },
  failed: { word: 'failed', meaning: 'The runner stopped; sealed episodes were kept.' },
  cancelled: { word: 'cancelled', meaning: 'Stopped by a person; sealed episodes were kept.' },
}

/** True while more episodes may still come. */
export function isActive({ status }: Pick<RunSummary, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** `12 of 25 sealed, 10 solved, 1 void`. */
export function progressText({
  sealed,
  planned,
  solved,
  voids,
  voidAttempts,
}: Pick<RunSummary, 'sealed' | 'planned' | 'solved' | 'voids' | 'voidAttempts'>): string {
  const parts = [
    `${formatCount(sealed)} of ${formatCount(planned)} sealed`,
    `${formatCount(solved)} solved`,
  ]
  if (voids > 0) parts.push(`${formatCount(voids)} void`)
  const again = voidAttempts - voids
  if (again > 0) parts.push(`${plural(again, 'void attempt')} tried again`)
  return parts.join(', ')
}

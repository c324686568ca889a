import { Ban, Check, CircleDashed, Play, TriangleAlert } from 'lucide-react'
import { classNames } from '#components/ui/class-names.ts'
import type { RunStatus } from '#lib/domain/views/run-view.ts'
import { RUN_WORDS } from './run-words.ts'

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

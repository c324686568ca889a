import { formatCount, plural } from '#components/format/number.ts'
import type { RunStatus, RunSummary } from '#lib/domain/views/run-view.ts'

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

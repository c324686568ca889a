import type { EvidenceFile } from '../record/index.ts'
import { countOf } from '../text/index.ts'

/** Evidence that retention may delete: logs, recordings and screenshots, which do not affect verdicts. */
const PRUNABLE: readonly EvidenceFile['role'][] = [
  'subject-log',
  'events',
  'gateway-recording',
  'transcript',
  'screenshot',
]
/** Smaller files are not worth deleting. */
const MIN_BYTES = 4096

export type PruneCandidate = {
  /** Path of the evidence file, as in retention's notes. */
  path: string
  runId: string
  episodeId: string
  bytes: number
  startedAt: string
  /** True if a claim on a current board counts this episode's run. */
  isClaimed: boolean
}
export type Chosen = PruneCandidate & { reason: string }

export type RetentionRules = {
  /** Delete logs of episodes that started before this instant; null = no age limit. */
  before: { instant: string; days: number } | null
  /** Bytes to free because of this quota; null = within the quota. */
  quota: { toFree: number; words: string } | null
}

export function isPrunable({ role, sizeBytes }: Pick<EvidenceFile, 'role' | 'sizeBytes'>): boolean {
  return PRUNABLE.includes(role) && sizeBytes >= MIN_BYTES
}

/**
 * Chooses files to delete, with reasons: files that are too old, unless a claim depends on them; then, until the quota
 * is met, the oldest first, within one age the largest, and those that claims depend on last.
 */
export function choosePrunable<T extends PruneCandidate>(
  candidates: readonly T[],
  { before, quota }: RetentionRules,
): (T & Chosen)[] {
  const chosen: (T & Chosen)[] = []
  const rest: T[] = []
  for (const one of candidates) {
    const isOld = before !== null && !one.isClaimed && one.startedAt < before.instant
    if (isOld) chosen.push({ ...one, reason: `it was older than ${countOf(before.days, 'day')}` })
    else rest.push(one)
  }
  let freed = chosen.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const one of rest.sort(byNeed)) {
    if (quota === null || freed >= quota.toFree) break
    chosen.push({ ...one, reason: `the quota of ${quota.words} was used up` })
    freed += one.bytes
  }
  return chosen
}

function byNeed(a: PruneCandidate, b: PruneCandidate): number {
  if (a.isClaimed !== b.isClaimed) return a.isClaimed ? 1 : -1
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt ? -1 : 1
  return b.bytes - a.bytes || (a.path < b.path ? -1 : 1)
}

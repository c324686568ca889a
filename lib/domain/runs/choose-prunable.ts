import type { EvidenceFile } from '../record/index.ts'
import { countOf } from '../record/index.ts'

/** What retention may delete: logs, recordings and screenshots. No verdict rests on them. */
const PRUNABLE: readonly EvidenceFile['role'][] = [
  'subject-log',
  'events',
  'gateway-recording',
  'transcript',
  'screenshot',
]
/** Smaller files free nothing worth a line. */
const MIN_BYTES = 4096

export type PruneCandidate = {
  /** The name of the evidence, as notes of retention keep it. */
  path: string
  runId: string
  episodeId: string
  bytes: number
  startedAt: string
  /** A claim on a current board counts this episode's run. */
  isClaimed: boolean
}
export type Chosen = PruneCandidate & { reason: string }

export type RetentionRules = {
  /** Logs of episodes that started before this go; null = age is no reason. */
  before: { instant: string; days: number } | null
  /** Bytes to remove because of this quota; null = there is room. */
  quota: { toFree: number; words: string } | null
}

export function isPrunable({ role, sizeBytes }: Pick<EvidenceFile, 'role' | 'sizeBytes'>): boolean {
  return PRUNABLE.includes(role) && sizeBytes >= MIN_BYTES
}

/**
 * Which files to delete and why: what is too old, unless a claim rests on it; then, until the quota is met, the oldest first and
 * of one age the largest, and those that claims rest on last of all.
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

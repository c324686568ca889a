import type { Plan } from '../record/index.ts'
import { countSlots } from '../record/index.ts'
import type { ExecutorName } from './executor-settings.ts'

/** One run on other machines, as passed to every engine; each engine adds its own settings. */
export type RemoteManifest = {
  runId: string
  planDigest: string
  shards: number
  /** Number of launches, this one included: a resumed run is another job of its engine. */
  launch: number
  /** The board's address, where shards report to. */
  url: string
  /** `reference on typescript`, for labels that people read. */
  title: string
}

/** Builds the manifest of a frozen plan. */
export function remoteManifest(
  plan: Plan,
  { runId, shards, url, launch }: Pick<RemoteManifest, 'runId' | 'shards' | 'url' | 'launch'>,
): RemoteManifest {
  const { planDigest, subject, suiteId } = plan
  return {
    runId,
    planDigest,
    url,
    launch,
    title: `${subject.name} on ${suiteId}`,
    shards: countShards(plan, shards),
  }
}

/** Returns the number of shards, never more than episodes; 1 for a plan that stops when decided. */
export function countShards(
  plan: Parameters<typeof countSlots>[0] & Pick<Plan, 'stop'>,
  wanted: number,
): number {
  if (plan.stop) return 1
  return Math.max(1, Math.min(wanted, countSlots(plan)))
}

/** The name of a run in its engine: lower case, as some engines require. */
export function engineName({ runId, launch }: Pick<RemoteManifest, 'runId' | 'launch'>): string {
  return `proofboard-${runId.replaceAll('_', '-')}${launch > 1 ? `-${launch}` : ''}`
}

/** Arguments that start a shard; the engine provides its number. */
export function shardArguments({ runId, url }: RemoteManifest): string[] {
  // Plain HTTP is allowed: the address in executors.yaml was chosen by the operator.
  const plain = url.startsWith('http:') ? ['--insecure'] : []
  return ['work', '--server', url, '--run-id', runId, ...plain]
}

/** The sender of a run's results: one for each engine of this server, so that its runs share rows. */
export function executorSender(executor: ExecutorName): string {
  return `executor-${executor}`
}

/**
 * Splits a spend cap in millionths of a US dollar over the shards, rounded down, so that the total stays below the cap.
 */
export function spendCapOfShard(microUsd: number | null, shards: number): number | null {
  return microUsd === null ? null : Math.max(1, Math.floor(microUsd / shards))
}

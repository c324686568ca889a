import { z } from 'zod'
import { instantSchema } from '../record/index.ts'

const count = z.number().int().nonnegative()

/** low = act soon; full = no job is started until space is freed. */
const diskLevelSchema = z.enum(['ok', 'low', 'full'])
type DiskLevel = z.infer<typeof diskLevelSchema>

/** Bytes of a data folder by use. */
const dataSizesSchema = z.object({
  database: count,
  runs: count,
  suites: count,
  uploads: count,
  backups: count,
  other: count,
})
export type DataSizes = z.infer<typeof dataSizesSchema>

const diskStateSchema = z.object({
  /** Null = not reported by the system. */
  freeBytes: count.nullable(),
  /** No job is started below this. */
  minFreeBytes: count,
  /** Null = not measured yet. */
  data: dataSizesSchema.nullable(),
  /** Quota of run folders; null = no quota. */
  quotaBytes: count.nullable(),
  level: diskLevelSchema,
})
export type DiskState = z.infer<typeof diskStateSchema>

/** State of a server, public: it contains no paths, names or secrets. */
export const healthSchema = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  version: z.string(),
  startedAt: instantSchema,
  database: z.object({
    ok: z.boolean(),
    /** True if the write lock could be taken; null = not tried, because the database cannot be read. */
    writable: z.boolean().nullable(),
    /** SQLite's own quick check; null = not run yet. */
    integrity: z.object({ ok: z.boolean(), checkedAt: instantSchema }).nullable(),
    problem: z.string().nullable(),
  }),
  queue: z
    .object({
      queued: count,
      running: count,
      oldestQueuedMs: z.number().nullable(),
      /** Running jobs whose worker sent no heartbeat for longer than its lease. */
      stuckLeases: count,
    })
    .nullable(),
  worker: z
    .object({ alive: z.boolean(), workers: count, lastBeatMs: z.number().nullable() })
    .nullable(),
  disk: diskStateSchema,
  /** Age of the newest backup made here; null = none. */
  backup: z.object({ lastMs: z.number().nullable() }).nullable(),
  /** Evidence that a restore left out of this data folder; null = none. Not a problem. */
  leftOut: z.object({ episodes: count, files: count }).nullable(),
  /** Problems with their fixes, a sentence each; empty = healthy. */
  problems: z.array(z.string()),
})
export type Health = z.infer<typeof healthSchema>

type Facts = Omit<Health, 'status' | 'problems' | 'version' | 'startedAt'>

/** Problems of a server, each with its fix. `low` disk space is only a hint, not a problem. */
export function listProblems({ database, queue, worker, disk }: Facts): string[] {
  const problems: string[] = []
  if (database.problem !== null) problems.push(database.problem)
  if (database.writable === false) {
    problems.push(
      'The database could not be locked for writing, because another process holds the lock. Writes are waiting.',
    )
  }
  if (database.integrity?.ok === false) {
    problems.push('The database file is damaged. Stop the server and restore a backup.')
  }
  if (worker && !worker.alive) {
    problems.push('No worker is running. Runs wait until the server is restarted.')
  }
  if (queue && queue.stuckLeases > 0) {
    problems.push('A running job has no heartbeat. The next worker queues it again.')
  }
  if (disk.level === 'full') problems.push(describeFullDisk(disk))
  return problems
}

function describeFullDisk({ freeBytes, minFreeBytes }: Health['disk']): string {
  const isFull = freeBytes !== null && freeBytes < minFreeBytes
  const what = isFull ? 'The disk is nearly full' : 'The quota for run folders is exceeded'
  return `${what}: no job is started until there is space. Delete old backups, prune logs, or raise the limit.`
}

/** Warn while free space is below this multiple of the space that a job needs to start. */
const LOW_FREE = 5
const LOW_QUOTA = 0.9

/** Returns the disk level; unknown values are ignored. */
export function judgeDisk({
  freeBytes,
  minFreeBytes,
  quotaBytes,
  data,
}: Omit<DiskState, 'level'>): DiskLevel {
  const used = data?.runs ?? 0
  if (freeBytes !== null && freeBytes < minFreeBytes) return 'full'
  if (quotaBytes !== null && used >= quotaBytes) return 'full'
  if (freeBytes !== null && freeBytes < LOW_FREE * minFreeBytes) return 'low'
  return quotaBytes !== null && used >= LOW_QUOTA * quotaBytes ? 'low' : 'ok'
}

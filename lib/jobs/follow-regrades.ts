import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { recordAudit } from '#lib/db/audit-store.ts'
import { createLog } from '#lib/log.ts'
import { dropOrder, nextOrder, type RegradeOrder } from '#lib/regrade/regrade-orders.ts'
import { spawnRunner } from './spawn-runner.ts'
import type { WorkerContext } from './worker-context.ts'

const LOOK_MS = 1000
const log = createLog('regrade')

const summarySchema = z.object({
  regraded: z.number(),
  agree: z.number(),
  disagree: z.number(),
  skipped: z.array(z.object({ episodeId: z.string(), reason: z.string() })),
})

/** Does the regrades that were asked for, one after another, until `signal`. A worker that dies begins its one anew. */
export async function followRegrades({ db, signal }: Pick<WorkerContext, 'db' | 'signal'>) {
  while (!signal.aborted) {
    try {
      const order = nextOrder()
      if (order) await regrade(db, order, signal)
    } catch (error) {
      log.error('a regrade broke, please report this bug', { error })
    }
    await pause(LOOK_MS, undefined, { signal }).catch(() => {})
  }
}

async function regrade(db: WorkerContext['db'], order: RegradeOrder, signal: AbortSignal) {
  const { runId, episodeId, requestedBy } = order
  const args = ['regrade', '--run', runId, '--json', '--stop-with-stdin']
  if (episodeId !== null) args.push('--episode', episodeId)
  let lastLine = ''
  const onStdout = (line: string) => {
    if (line.trim()) lastLine = line
  }
  const { exitCode, lastWords } = await spawnRunner(args, { onStdout }, signal)
  if (signal.aborted) return // the order stays, and the next worker does it
  const summary = summarySchema.safeParse(parseQuietly(lastLine))
  const detail = summary.success
    ? { requestedBy, episodeId, ...summary.data, skipped: countReasons(summary.data.skipped) }
    : { requestedBy, episodeId, exitCode, problem: lastWords.slice(0, 500) }
  const action = summary.success ? 'run.regraded' : 'run.regrade-failed'
  const actor = { kind: 'system', id: null, name: 'system' } as const
  await recordAudit(db, { actor, action, target: runId, detail }, new Date())
  dropOrder(runId)
  log[summary.success ? 'info' : 'error'](action, { runId, ...detail })
}

function countReasons(skipped: z.infer<typeof summarySchema>['skipped']): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { reason } of skipped) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

function parseQuietly(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

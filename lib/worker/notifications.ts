import { setTimeout as pause } from 'node:timers/promises'
import { type JobEnding, listAliveWorkers } from '../db/job-lease.ts'
import type { Job } from '../db/job-store.ts'
import { changeKey, type RowChange } from '../domain/board/index.ts'
import { changeItem, type Notification } from '../domain/formats/index.ts'
import { countOf } from '../domain/text/index.ts'
import { env } from '../env.ts'
import { createLog } from '../log.ts'
import { listRowChanges } from '../server/board/row-changes.ts'
import { getRun } from '../server/runs/runs.ts'
import { logFailure } from './log-failure.ts'
import type { WorkerContext } from './worker-context.ts'

const CHANGES_MS = 5000
const log = createLog('notify')

function addressOf(path: string): string {
  return new URL(path, env().publicUrl).href
}

/** A job that is over, with what its run found. */
export async function describeEnd(job: Job, ending: JobEnding): Promise<Notification> {
  const { jobId, newRunId: runId, payload } = job
  const run = runId === null ? null : await getRun(runId)
  const reason = 'reason' in ending && ending.reason ? `${ending.reason}. ` : ''
  const counts = run
    ? `${countOf(run.sealed - run.cancelled, 'episode')} of ${run.owed} finished, ${run.solved} solved.`
    : 'No episode was started.'
  return {
    id: `run-ended:${runId ?? jobId}:${ending.status}`,
    kind: 'run-ended',
    at: new Date().toISOString(),
    title: `${run?.subjectLabel ?? payload.subject} on ${payload.suiteId}: ${ending.status}`,
    text: `${reason}${counts}`,
    url: addressOf(run ? `/runs/${run.runId}` : '/admin/queue'),
  }
}

/** A run that waits for its provider. */
export function describePause(job: Job, runId: string, why: string): Notification {
  const { subject, suiteId } = job.payload
  return {
    id: `run-paused:${runId}:${why}`,
    kind: 'run-paused',
    at: new Date().toISOString(),
    title: `${subject} on ${suiteId}: ${why}`,
    text: 'The run goes on by itself.',
    url: addressOf(`/runs/${runId}`),
  }
}

/** A ranked entry that solves significantly more or fewer tasks than before. */
export function describeChange(change: RowChange): Notification {
  const { id, path, title, text, at } = changeItem(change)
  return { id, kind: 'entry-changed', at, title, text, url: addressOf(path) }
}

/** Tells of every change of an entry that was not there when the worker started; of several workers the first one does. */
export async function followChanges({
  db,
  signal,
  workerId,
  notify,
}: Pick<WorkerContext, 'db' | 'signal' | 'workerId' | 'notify'>): Promise<void> {
  if (notify === undefined) return
  let known: ReadonlySet<string> | null = null
  while (!signal.aborted) {
    try {
      const changes = await listRowChanges()
      const ids = (await listAliveWorkers(db)).map(({ id }) => id).sort()
      const isFirst = ids.length === 0 || ids[0] === workerId
      for (const change of changes)
        if (known !== null && isFirst && !known.has(changeKey(change)))
          notify(describeChange(change))
      known = new Set(changes.map(changeKey))
    } catch (error) {
      logFailure(log, 'changes of entries could not be read', error)
    }
    await pause(CHANGES_MS, undefined, { signal }).catch(() => {})
  }
}

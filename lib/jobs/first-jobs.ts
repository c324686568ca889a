import type { Db } from '#lib/db/database.ts'
import { countJobs, enqueueJob, type JobPayload } from '#lib/db/job-store.ts'
import { countRuns } from '#lib/db/run-store.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import { createLog } from '#lib/log.ts'

const SUITE_ID = 'typescript'
const FIRST_JOBS: readonly JobPayload[] = [
  { suiteId: SUITE_ID, subject: 'reference', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'nop', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'wrong', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'cheater', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'flaky', repetitions: 3 },
]

/** On an empty database, queues the controls: the board fills while somebody watches, and proves the suite as it does. */
export async function enqueueFirstJobs(db: Db): Promise<void> {
  const isUsed = (await countRuns(db)) > 0 || (await countJobs(db)) > 0
  if (isUsed || !(await findSuite(db, SUITE_ID))) return
  const now = Date.now()
  // One millisecond apart, so that they are worked in this order.
  for (const [place, job] of FIRST_JOBS.entries()) await enqueueJob(db, job, new Date(now + place))
  createLog('worker').info('first runs queued', { jobs: FIRST_JOBS.length })
}

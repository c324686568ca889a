import { z } from 'zod'
import type { Db } from '#lib/db/database.ts'
import { countJobs, enqueueJob, type JobPayload } from '#lib/db/job-store.ts'
import { countRuns } from '#lib/db/run-store.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import { createLog } from '#lib/log.ts'
import { askRunner } from './spawn-runner.ts'

const log = createLog('worker')
const SUITE_ID = 'typescript'
const FIRST_JOBS: readonly JobPayload[] = [
  { suiteId: SUITE_ID, subject: 'reference', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'nop', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'wrong', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'cheater', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'flaky', repetitions: 3 },
]

/** Two libraries that need nothing but a Chromium, with more than the ten episodes that an aggregate needs. */
const BROWSER_SUITE_ID = 'browser'
const FIRST_LIBRARIES = ['playwright', 'puppeteer']
const FIRST_REPETITIONS = 2

const librariesSchema = z.object({
  browser: z.string().nullable(),
  problem: z.string().nullable(),
  libraries: z.array(z.object({ name: z.string(), missing: z.string().nullable() })),
})

/**
 * On an empty database, queues the controls, and where there is a Chromium two browser libraries, whose rows are true
 * claims: the board fills while somebody watches, and proves the suites as it does.
 */
export async function enqueueFirstJobs(db: Db, signal: AbortSignal): Promise<void> {
  const isUsed = (await countRuns(db)) > 0 || (await countJobs(db)) > 0
  if (isUsed || !(await findSuite(db, SUITE_ID))) return
  const jobs = [...FIRST_JOBS, ...(await browserJobs(db, signal))]
  const now = Date.now()
  // One millisecond apart, so that they are worked in this order.
  for (const [place, job] of jobs.entries()) await enqueueJob(db, job, new Date(now + place))
  log.info('first runs queued', { jobs: jobs.length })
}

async function browserJobs(db: Db, signal: AbortSignal): Promise<JobPayload[]> {
  if (!(await findSuite(db, BROWSER_SUITE_ID))) return []
  const { answer } = await askRunner(['libraries', '--json'], signal)
  const found = librariesSchema.safeParse(answer)
  if (!found.success || found.data.browser === null) {
    log.info('no browser run', { reason: found.data?.problem ?? 'the runner does not tell' })
    return []
  }
  const there = found.data.libraries.filter(({ missing }) => missing === null)
  const names = FIRST_LIBRARIES.filter((name) => there.some((library) => library.name === name))
  return names.map((subject) => ({
    suiteId: BROWSER_SUITE_ID,
    subject,
    repetitions: FIRST_REPETITIONS,
    concurrency: 2,
  }))
}

import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../db/db.ts'
import { enqueueJob } from '../../../db/job-store.ts'
import { freezePlan, type Plan, planSchema } from '../../../domain/record/index.ts'
import { startProofboard, temporarySuite } from '../../factories/proofboard-command.ts'
import { SOAK_SUITE, SOAK_TASKS } from './cluster.ts'

const REPETITIONS = 3
const CONCURRENCY = 2
/** Number of jobs that are always queued, more than three workers run at once. */
const WAITING = 6
/** The maximum of a plan: interrupted attempts are excluded, and here many are. */
const MAX_ATTEMPTS = 10
const LOOK_MS = 500

/** Sleeps like an agent that waits for its model, and writes nothing. */
const AGENT = 'sleep 4\n'

/** Freezes the plan of every job with the real command line, in a separate data folder. */
export async function freezeSoakPlan(root: string): Promise<Plan> {
  const dataDir = join(root, 'planner')
  temporarySuite(dataDir, SOAK_SUITE, SOAK_TASKS)
  const agent = join(root, 'agent.sh')
  writeFileSync(agent, AGENT)
  chmodSync(agent, 0o644)
  const out = join(root, 'plan.json')
  const subject = ['--command', `sh ${agent}`, '--name', 'waits', '--subject-version', '1.0.0']
  const args = ['--suite', SOAK_SUITE, '--repetitions', String(REPETITIONS), '--out', out]
  const { code, stderr } = await startProofboard(dataDir, [
    'plan',
    ...args,
    ...subject,
    ...['--isolation', 'local'],
  ]).ended
  if (code !== 0) throw new Error(`no plan: ${stderr}`)
  const plan = planSchema.parse(JSON.parse(readFileSync(out, 'utf8')))
  const { planDigest: _, frozenAt, schemaVersion: __, ...draft } = plan
  const settings = { ...draft.settings, maxAttempts: MAX_ATTEMPTS }
  return freezePlan({ ...draft, settings }, { now: frozenAt })
}

/** Keeps jobs queued until `signal`. The database may be down meanwhile. */
export async function feedJobs(db: Db, plan: Plan, signal: AbortSignal): Promise<void> {
  const payload = {
    suiteId: SOAK_SUITE,
    subject: plan.subject.name,
    repetitions: REPETITIONS,
    concurrency: CONCURRENCY,
  }
  const frozen = { plan: JSON.stringify(plan), planDigest: plan.planDigest }
  while (!signal.aborted) {
    const queued = await patiently(() => db.job.count({ where: { status: 'queued' } }))
    // A transaction without a response may have been committed; one more job does no harm.
    for (let waiting = queued; waiting < WAITING; waiting++)
      await patiently(() => enqueueJob(db, payload, new Date(), { frozen }))
    await pause(LOOK_MS, undefined, { signal }).catch(() => {})
  }
}

/** Attempts of jobs that were stored within `ms`, per minute. */
export async function measureThroughput(db: Db, ms: number): Promise<number> {
  const count = () =>
    patiently(() => db.episode.count({ where: { suiteId: SOAK_SUITE, status: { not: 'void' } } }))
  const before = await count()
  const start = performance.now()
  await pause(ms)
  return ((await count()) - before) / ((performance.now() - start) / 60_000)
}

/** Repeats a query until the database responds, because it is crashed on purpose. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch {
      await pause(LOOK_MS)
    }
  }
}

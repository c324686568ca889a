import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Job, JobPayload } from '#lib/db/job-store.ts'
import { parsePlan } from '#lib/db/plan-store.ts'
import { saveRun } from '#lib/db/run-store.ts'
import { findSuiteVersion } from '#lib/db/suite-store.ts'
import type { Plan } from '#lib/domain/plan.ts'
import { AppError } from '#lib/errors.ts'
import { RunFailure } from './run-failure.ts'
import { spawnRunner } from './spawn-runner.ts'
import { syncSuite } from './sync-suites.ts'
import type { WorkerContext } from './worker-context.ts'

/** The job's frozen plan, kept as a run before its first episode starts; a plan that already stands is never replaced. */
export async function freezeJob(job: Job, folder: string, context: WorkerContext): Promise<Plan> {
  const { db, signal } = context
  const file = join(folder, 'plan.json')
  if (!existsSync(file) && job.plan !== null) await writeFrozen(job, job.plan, file)
  else if (!existsSync(file)) {
    const args = ['plan', ...asked(job.payload), '--out', file, '--json']
    const ending = await spawnRunner(args, { onStdout: () => {} }, signal)
    if (ending.exitCode !== 0) throw new RunFailure(ending)
  }
  const plan = parsePlan(JSON.parse(await readFile(file, 'utf8')))
  const runId = job.newRunId ?? ''
  const origin = { provenance: 'local' as const, registeredBy: 'worker' }
  const run = { runId, plan, jobId: job.jobId, ...origin }
  await saveRun(db, run, new Date())
  if (!(await findSuiteVersion(db, plan.suiteDigest))) await syncSuite(db, plan.suiteId, signal)
  return plan
}

/** Puts the plan that the job was made with into the run's folder, byte for byte. */
async function writeFrozen({ planDigest }: Job, text: string, file: string): Promise<void> {
  const plan = parsePlan(JSON.parse(text))
  if (plan.planDigest !== planDigest) {
    const message = `the job was queued with plan ${planDigest} and holds ${plan.planDigest}: queue it again`
    throw new AppError('conflict', message)
  }
  const unfinished = `${file}.unfinished`
  await writeFile(unfinished, text)
  await rename(unfinished, file)
}

function asked({ suiteId, subject, repetitions, tasks }: JobPayload): string[] {
  const args = ['--suite', suiteId, '--subject', subject, '--repetitions', String(repetitions)]
  return tasks ? [...args, '--tasks', tasks.join(',')] : args
}

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import { enqueueJob, findJob, type Job } from '../../db/job-store.ts'
import { parsePlan } from '../../db/plan-store.ts'
import { findSuiteVersion } from '../../db/suite-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import { type FreezeResult, viewFrozen } from '../../domain/api/index.ts'
import { canonicalJson } from '../../domain/digest/index.ts'
import { countSlots, type Plan } from '../../domain/record/index.ts'
import {
  type LaunchFields,
  type LaunchProblem,
  type LaunchRequest,
  launchFieldsSchema,
} from '../../domain/runs/index.ts'
import { AppError } from '../../errors.ts'
import { requireExecutor } from '../remote/executors.ts'
import { type FrozenLaunch, freezeLaunch } from './freeze-launch.ts'

const AGAIN = 'Review the plan again before you launch.'

/** The launch request: the form, the digest that was shown, and a key unique to this view of the page. */
export const launchRequestSchema = launchFieldsSchema.extend({
  planDigest: z.string({ error: AGAIN }).regex(/^sha256:[0-9a-f]{64}$/, AGAIN),
  key: z.uuid({ error: AGAIN }),
})

type LaunchOrder = { fields: LaunchFields; planDigest: string; key: string }
type Launched = { ok: true; jobId: string } | { ok: false; problems: LaunchProblem[] }

/**
 * Queues exactly the plan that was shown. It is frozen again, so that a change since (a version, a task) is reported
 * instead of run; the same request sent twice queues one job. Job and audit line are written together.
 */
export async function launchRun(
  { fields, planDigest, key }: LaunchOrder,
  by: { actor: Actor; requestId: string | null },
  now = new Date(),
): Promise<Launched> {
  const jobId = `job_${key}`
  const sent = await findJob(database(), jobId)
  if (sent) return sameJob(sent, planDigest)
  const frozen = await freezeLaunch(fields, now)
  if (!frozen.ok) return frozen
  if (frozen.plan.planDigest !== planDigest) return { ok: false, problems: [CHANGED] }
  try {
    await queue(jobId, frozen, by, now)
    return { ok: true, jobId }
  } catch (error) {
    // A double click: the other request was faster.
    const other = await findJob(database(), jobId)
    if (other) return sameJob(other, planDigest)
    throw error
  }
}

const CHANGED: LaunchProblem = {
  path: '(root)',
  message:
    'The plan has changed since you reviewed it: a version, a task or the form is different. Nothing was started. Review the plan again.',
}

function sameJob({ jobId, planDigest }: Job, wanted: string): Launched {
  if (planDigest === wanted) return { ok: true, jobId }
  throw new AppError('conflict', `This form has already launched another plan. ${AGAIN}`)
}

function queue(
  jobId: string,
  {
    plan,
    request,
    suite,
  }: Pick<Extract<FrozenLaunch, { ok: true }>, 'plan' | 'suite'> & {
    request: Pick<LaunchRequest, 'concurrency' | 'spendCapMicroUsd' | 'priority' | 'remote'>
  },
  { actor, requestId }: { actor: Actor; requestId: string | null },
  now: Date,
): Promise<void> {
  const { planDigest, suiteId, subject, repetitions } = plan
  const { concurrency, spendCapMicroUsd, priority } = request
  const remote = request.remote && remoteOf(request.remote)
  const payload = {
    suiteId,
    subject: subject.name,
    repetitions,
    concurrency,
    ...(remote !== null && { remote }),
    ...(plan.tasks.length < suite.tasks.length && {
      tasks: plan.tasks.map(({ taskId }) => taskId),
    }),
    ...(spendCapMicroUsd !== null && { spendCapMicroUsd }),
  }
  const frozen = { plan: canonicalJson(plan), planDigest }
  const { provider, modelRequested: model } = subject
  const detail = {
    planDigest,
    suiteId,
    subject: subject.name,
    model,
    episodes: countSlots(plan),
    concurrency,
    spendCapMicroUsd,
    priority,
    remote,
  }
  const options = { jobId, priority, provider, frozen, requestedBy: actor.name }
  return withDatabaseErrors(() =>
    inTransaction(database(), async (tx) => {
      await enqueueJob(tx, payload, now, options)
      await recordAudit(tx, { actor, action: 'run.launch', target: jobId, detail, requestId }, now)
    }),
  )
}

/**
 * Returns the executor and its shards, by default those of its settings. Throws an AppError when it is not configured.
 */
function remoteOf({ executor, shards }: NonNullable<LaunchRequest['remote']>) {
  const { settings } = requireExecutor(executor)
  return { executor, shards: shards || settings.shards }
}

/** Parses a plan from a file. Throws an AppError when it was changed after freezing. */
export const readFrozenPlan = parsePlan

/** Queues a frozen plan for an executor; returns the job's id. Throws an AppError. */
export async function launchPlan(
  plan: Plan,
  request: Pick<LaunchRequest, 'concurrency' | 'spendCapMicroUsd' | 'priority'> & {
    remote: NonNullable<LaunchRequest['remote']>
  },
  by: { actor: Actor; requestId: string | null },
  now = new Date(),
): Promise<string> {
  const suite = await findSuiteVersion(database(), plan.suiteDigest)
  if (!suite) {
    const message = `this server does not have the version of ${plan.suiteId} that the plan names: add the suite, or freeze the plan again`
    throw new AppError('conflict', message)
  }
  const jobId = `job_${randomUUID()}`
  await queue(jobId, { plan, request, suite }, by, now)
  return jobId
}

/** Freezes the plan without starting or storing anything. */
export async function freezeForm(fields: LaunchFields, now = new Date()): Promise<FreezeResult> {
  const frozen = await freezeLaunch(fields, now)
  if (!frozen.ok) return frozen
  const { plan, request, ...rest } = frozen
  const view = viewFrozen(plan, request, { ...rest, key: randomUUID() })
  return { ok: true, message: 'Plan ready. Nothing has started yet.', frozen: view }
}

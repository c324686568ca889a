import { countEach, expandPlan } from '../../record/index.ts'
import { countOf, present } from '../../text/index.ts'
import { readTime } from '../reported-run.ts'
import { checkTrial } from './check-trial.ts'
import {
  type EscrowJob,
  type EscrowPlan,
  type EscrowProblem,
  type EscrowTrial,
  taskOf,
} from './escrow-job.ts'
import { findOtherTerm, readJobTerms } from './job-terms.ts'

/** Finds everything in a job folder that contradicts its plan or itself. */
export function checkEscrow(job: EscrowJob, plan: EscrowPlan, runId: string): EscrowProblem[] {
  return [
    ...checkTerms(job, plan, runId),
    ...checkSlots(job, plan),
    ...checkTwice(job.trials),
    ...checkChecksums(job.trials, plan),
    ...job.trials.flatMap((one) => checkTrial(one, job, plan)),
  ]
}

function problem(code: string, message: string): EscrowProblem {
  return { code, message }
}

function checkTerms(
  { config, job, lock, trials }: EscrowJob,
  plan: EscrowPlan,
  runId: string,
): EscrowProblem[] {
  const read = readJobTerms(config)
  if (!read.ok)
    return read.problems.map(({ path, message }) => problem('terms', `its ${path} ${message}`))
  const { jobName, terms, attempts } = read.value
  const { escrow, repetitions } = plan
  const other = findOtherTerm(escrow.terms, terms)
  const { version, is_editable: isEditable } = lock.harbor
  const retries = job.stats?.n_retries ?? 0
  return present([
    jobName !== runId && problem('job-name', `its job_name is not ${runId}`),
    other !== null && problem('terms', `its ${other} is not what the plan says`),
    attempts !== repetitions &&
      problem('terms', `its n_attempts is ${attempts}, and the plan has ${repetitions}`),
    (version !== escrow.version || isEditable === true) &&
      problem(
        'harness-version',
        `it ran with Harbor ${version}${isEditable ? ' from a working copy' : ''}, and the plan names ${escrow.version}`,
      ),
    (job.n_total_trials !== trials.length || retries !== 0) &&
      problem(
        'cherry-picked',
        `its result counts ${countOf(job.n_total_trials, 'trial')} and ${countOf(retries, 'retry', 'retries')}, and it has ${trials.length}`,
      ),
    !startsBefore(lock.created_at, job.started_at) &&
      problem('lock', 'its lock was written after the job started, or says no time'),
  ])
}

/** A job is locked before it starts; its clock is one. */
function startsBefore(first: string, second: string): boolean {
  const [a, b] = [readTime(first), readTime(second)]
  return a !== null && b !== null && a.at <= new Date(Date.parse(b.at) + LOCK_MS).toISOString()
}

/** Harbor writes the lock while it prepares the job. */
const LOCK_MS = 60_000

/** Every planned slot has exactly one trial. */
function checkSlots({ trials }: EscrowJob, plan: EscrowPlan): EscrowProblem[] {
  const planned = countEach(expandPlan(plan).map(({ taskId }) => taskId))
  const found = countEach(trials.map((one) => taskOf(one, plan) ?? ''))
  const unknown = trials.filter((one) => taskOf(one, plan) === null)
  return [
    ...unknown.map(({ trial }) =>
      problem('slot-extra', `${trial.trial_name} is of ${trial.task_name}, which is not planned`),
    ),
    ...[...planned].flatMap(([taskId, max]) => {
      const own = found.get(taskId) ?? 0
      if (own === max) return []
      const code = own < max ? 'slot-missing' : 'slot-extra'
      return problem(code, `${taskId} has ${own} of ${countOf(max, 'planned trial')}`)
    }),
  ]
}

/** No trial counts twice, and none is a copy of another. */
function checkTwice(trials: readonly EscrowTrial[]): EscrowProblem[] {
  const found: EscrowProblem[] = []
  const seen = new Map<string, string>()
  const look = (key: string, code: string, name: string, what: string) => {
    const first = seen.get(key)
    if (first === undefined) seen.set(key, name)
    else found.push(problem(code, `${name} has the ${what} of ${first}`))
  }
  for (const { trial, trajectoryDigest, recordDigest } of trials) {
    const { id, trial_name: name } = trial
    look(`id ${id}`, 'slot-doubled', name, 'id')
    look(`name ${name}`, 'slot-doubled', name, 'name')
    look(`result ${recordDigest}`, 'slot-doubled', name, 'result')
    if (trajectoryDigest !== null)
      look(`log ${trajectoryDigest}`, 'copied', name, 'agent’s trajectory')
  }
  return found
}

/** All trials of a task ran the same task, and the planned one where the plan pins Harbor's checksum. */
function checkChecksums(trials: readonly EscrowTrial[], plan: EscrowPlan): EscrowProblem[] {
  const sums = new Map<string, string>()
  return trials.flatMap((one) => {
    const taskId = taskOf(one, plan)
    if (taskId === null) return []
    const own = one.trial.task_checksum
    const wanted = plan.escrow.tasks[taskId]?.checksum ?? sums.get(taskId) ?? own
    sums.set(taskId, wanted)
    return own === wanted
      ? []
      : problem('task-digest', `${one.trial.trial_name} ran another version of ${taskId}`)
  })
}

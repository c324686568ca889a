import { type Outcome, type ReportedEpisode, sealReported } from '../../record/index.ts'
import type { ParseResult } from '../../text/index.ts'
import { describeReported } from '../build-reported.ts'
import { judgeTrial } from '../judge-trial.ts'
import { byStart, readHarborAttempt } from '../parse-harbor.ts'
import { type ReportedAttempt, readTime } from '../reported-run.ts'
import { observedModels } from './check-trial.ts'
import { type EscrowJob, type EscrowPlan, type EscrowTrial, taskOf } from './escrow-job.ts'

/** A checked trial as a sealed envelope, made when it is asked for. */
export type EscrowedAttempt = Pick<ReportedEpisode, 'taskId' | 'repetition' | 'evidence'> & {
  name: string
  seal: () => ReportedEpisode
}

const UNREPORTED = ['environment', 'who counted tokens', 'network', 'each test of the verifier']

/** Makes the envelopes of a job that was checked: trials of a task are its repetitions, in start order. */
export function buildEscrowed(
  job: EscrowJob,
  plan: EscrowPlan,
  runId: string,
): ParseResult<EscrowedAttempt[]> {
  const { harbor } = job.lock
  const run = {
    format: 'harbor' as const,
    formatVersion: null,
    harness: {
      name: 'harbor',
      version: harbor.version,
      commit: harbor.git_commit_hash ?? null,
      dirty: null,
    },
    url: null,
    untold: UNREPORTED,
    startedAt: readTime(job.job.started_at)?.at ?? '',
    endedAt: readTime(job.job.finished_at)?.at ?? '',
  }
  const seen = new Map<string, number>()
  const made: EscrowedAttempt[] = []
  for (const one of [...job.trials].sort(byStart)) {
    const taskId = taskOf(one, plan)
    const task = plan.tasks.find((planned) => planned.taskId === taskId)
    if (!task) throw new Error(`${one.trial.trial_name} was not checked`)
    const repetition = (seen.get(task.taskId) ?? 0) + 1
    seen.set(task.taskId, repetition)
    const read = readAttempt(one, repetition, plan)
    if (!read.ok) return read
    const { attempt, verdict } = read.value
    const place = { runId, plan, task }
    made.push({
      name: one.trial.trial_name,
      taskId: task.taskId,
      repetition,
      evidence: [...one.evidence],
      seal: () => sealReported({ ...describeReported(run, attempt, place), escrow: { verdict } }),
    })
  }
  return { ok: true, value: made }
}

type Read = { attempt: ReportedAttempt; verdict: 'pass' | 'fail' }

function readAttempt(one: EscrowTrial, repetition: number, plan: EscrowPlan): ParseResult<Read> {
  const judged = judgeTrial(one, null)
  if (!judged.ok) return judged
  const verdict = judged.value.score === 1 ? 'pass' : 'fail'
  const plain = readHarborAttempt(one, repetition, judged.value)
  const attempt = { ...plain, modelObserved: observedModels(one.trajectory) }
  const stopped = one.trial.exception_info?.exception_type === 'AgentTimeoutError'
  const ending = endingOf(attempt, stopped, plan)
  return { ok: true, value: { attempt: { ...attempt, ...ending }, verdict } }
}

/** The outcome by Proofboard's rules, which are stricter than Harbor's. */
function endingOf(
  { outcome, usage, steps }: ReportedAttempt,
  isTimedOut: boolean,
  { settings }: EscrowPlan,
): Partial<Pick<ReportedAttempt, 'outcome' | 'failureCategory'>> {
  const { maxSteps, maxTokens, maxCostMicroUsd } = settings
  const tokens = (usage?.tokens.input ?? 0) + (usage?.tokens.output ?? 0)
  const over = [
    ...(isTimedOut ? (['time'] as const) : []),
    ...(isOver(steps, maxSteps) ? (['steps'] as const) : []),
    ...(isOver(tokens, maxTokens) ? (['tokens'] as const) : []),
    ...(isOver(usage?.costMicroUsd, maxCostMicroUsd) ? (['cost'] as const) : []),
  ]
  const [budget] = over
  if (budget !== undefined) {
    const reason = `It used more ${budget} than the plan allows.`
    return { outcome: { status: 'out-of-budget', budget, reason }, failureCategory: 'budget' }
  }
  // An attempt is never excluded, because the sender could choose which.
  if (outcome.status !== 'void') return {}
  const failed: Outcome = {
    status: 'unsolved',
    reason: `No reward: ${outcome.reason}`.slice(0, 500),
  }
  return { outcome: failed, failureCategory: 'harness' }
}

function isOver(used: number | null | undefined, limit: number | null): boolean {
  return limit !== null && (used ?? 0) > limit
}

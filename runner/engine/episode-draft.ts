import {
  type Environment,
  type EpisodeBody,
  entryOf,
  identifyEpisode,
  type MeasuredMode,
  type Plan,
  type Slot,
} from '#lib/domain/record/index.ts'
import type { AttemptIdentity } from './environment-adapter.ts'

/** The parts of an envelope known before the attempt starts. */
export type DraftKey =
  | 'schemaVersion'
  | 'episodeId'
  | 'runId'
  | 'planDigest'
  | 'suiteId'
  | 'suiteDigest'
  | 'taskId'
  | 'taskDigest'
  | 'category'
  | 'repetition'
  | 'attempt'
  | 'previousAttempt'
  | 'subject'
  | 'environment'
  | 'mode'
  | 'registrations'

/** Drafts an envelope before the attempt starts: subject, task, environment, and settings. */
export function draftEpisode(
  identity: AttemptIdentity,
  { mode }: { mode: MeasuredMode },
  environment: Environment,
): Pick<EpisodeBody, DraftKey> {
  const { runId, plan, slot, attempt, previousAttempt, registrations } = identity
  const { subject: who, settings } = plannedEntry(plan, slot)
  const subject = { ...who, modelObserved: [], settings }
  const { taskId, category, repetition } = slot
  const planned = plan.tasks.find((task) => task.taskId === taskId)
  if (!planned) throw new Error(`the plan has no task ${taskId}`)
  const named = {
    runId,
    planDigest: plan.planDigest,
    taskDigest: planned.digest,
    subject,
    repetition,
    attempt,
  }
  return {
    schemaVersion: 1,
    episodeId: identifyEpisode(named),
    ...named,
    suiteId: plan.suiteId,
    suiteDigest: plan.suiteDigest,
    taskId,
    category,
    previousAttempt,
    environment,
    mode,
    ...(registrations.length > 0 && { registrations }),
  }
}

/** Returns the subject and settings of a slot of a plan. */
export function plannedEntry(plan: Plan, { arm, taskId }: Slot) {
  const entry = entryOf<Plan['settings']>(plan, arm ?? plan.subject.arm)
  if (entry === null) throw new Error(`the plan has no arm ${arm} for ${taskId}`)
  return entry
}

/** Effort of an attempt of which only the duration is known. */
export function unknownEffort(
  wall: Partial<EpisodeBody['effort']['wall']> = {},
): EpisodeBody['effort'] {
  return {
    steps: null,
    toolCalls: null,
    firstTool: null,
    noProgress: [],
    retries: { subject: null, gateway: null, harness: 0 },
    wall: {
      prepareMs: 0,
      subjectMs: 0,
      restoreMs: 0,
      verifyMs: 0,
      evidenceMs: 0,
      totalMs: 0,
      ...wall,
    },
  }
}

/** An episode that ended before its contract could be judged. */
export function unjudged(): Pick<
  EpisodeBody,
  | 'contract'
  | 'agentSuccess'
  | 'testSuccess'
  | 'overallSuccess'
  | 'exit'
  | 'usage'
  | 'fault'
  | 'integrity'
> {
  const exit = { code: null, signal: null }
  return {
    contract: null,
    agentSuccess: false,
    testSuccess: false,
    overallSuccess: false,
    exit: { subject: exit, gate: exit },
    usage: null,
    fault: null,
    integrity: { protectedFilesTouched: [], findings: [] },
  }
}

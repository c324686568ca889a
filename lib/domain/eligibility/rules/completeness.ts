import {
  countEach,
  type EpisodeFact,
  isLlmDriven,
  isScored,
  listMissing,
} from '../../record/index.ts'
import { countOf, formatLevel, listNames, pluralForm } from '../../text/index.ts'
import {
  type EligibilityCase,
  type EligibilityContext,
  evidenceRule,
  type RuleFailure,
} from '../rule.ts'

/** Fixed: 10 samples for an aggregate, 20 for a result about one task; a suite may require more. */
export const samplesRule = evidenceRule({
  code: 'samples',
  fromSeed: true,
  demand: ({ thresholds, modelRepetitions }) =>
    `At least ${countOf(thresholds.aggregateEpisodes, 'independent scored episode')} for an aggregate, with one of every task (stress entries: every task that supports the fault), ` +
    `and ${modelRepetitions} of every task for entries driven by a language model; ` +
    `at least ${thresholds.perTaskEpisodes} for a result or chart about one task.`,
  check: ({ facts, context }) => {
    const scored = facts.filter(({ status }) => isScored(status))
    const { aggregateEpisodes, perTaskEpisodes } = context.policy.thresholds
    const needed = context.claim === 'task' ? perTaskEpisodes : aggregateEpisodes
    const samples = countSamples(scored, needed)
    const seen = new Set(scored.map(({ taskId }) => taskId))
    const stressed = facts.find(({ fault }) => fault !== null)
    const fault = stressed?.settings.fault
    const required = context.suiteTasks.filter((task) => takesFault(task, fault))
    const unseen = required.filter((task) => !seen.has(task.taskId))
    if (samples >= needed && unseen.length === 0) return thinComplaint({ facts: scored, context })
    return complain(
      samples,
      needed,
      unseen.map((task) => task.taskId),
      context.claim,
    )
  },
})

/** A stress entry needs only the tasks that support its fault; exercises support any. */
function takesFault(
  { faults }: EligibilityCase['context']['suiteTasks'][number],
  fault: string | undefined,
): boolean {
  return fault === undefined || faults === undefined || Object.hasOwn(faults, fault)
}

function complain(samples: number, needed: number, unseen: string[], claim: string): RuleFailure {
  const about = claim === 'task' ? 'a result about one task' : 'an aggregate'
  const few = `${samples} of the ${countOf(needed, 'scored episode')} required for ${about}`
  const none = `no scored episode of ${listNames(unseen)}`
  const more = `${Math.max(needed - samples, unseen.length)} more`
  if (unseen.length === 0)
    return { reason: `Only ${few}.`, remedy: `Run ${more} with the same settings.` }
  if (samples >= needed)
    return {
      reason: `There is ${none}.`,
      remedy: `Run ${listNames(unseen)} with the same settings.`,
    }
  return {
    reason: `Only ${few}, and ${none}.`,
    remedy: `Run at least ${more} with the same settings, including ${listNames(unseen)}.`,
  }
}

/** Models are not deterministic, so a single attempt per task is not enough. */
function thinComplaint({ facts, context }: Omit<EligibilityCase, 'kinds'>): RuleFailure | null {
  const { modelRepetitions } = context.policy
  if (context.claim === 'task' || !facts.some(isLlmDriven)) return null
  const samples = new Map<string, Set<string>>()
  for (const fact of facts) {
    const own = samples.get(fact.taskId)
    if (own && own.size < modelRepetitions) own.add(sampleKey(fact))
    else if (own === undefined) samples.set(fact.taskId, new Set([sampleKey(fact)]))
  }
  const thin = [...samples].flatMap(([taskId, { size }]) => (size < modelRepetitions ? taskId : []))
  if (thin.length === 0) return null
  return {
    reason: `Entries driven by a language model need ${countOf(modelRepetitions, 'scored episode')} of every task; ${listNames(thin)} ${pluralForm(thin.length, 'has', 'have')} fewer.`,
    remedy: `Run every task at least ${countOf(modelRepetitions, 'time')} with the same settings.`,
  }
}

/**
 * Counts independent scored samples: a recording counts once however often it is replayed, an episode once however
 * often it is submitted. Stops at `enough`.
 */
export function countSamples(facts: readonly EpisodeFact[], enough = Infinity): number {
  const samples = new Set<string>()
  for (const fact of facts) {
    if (samples.size >= enough) break
    if (isScored(fact.status)) samples.add(sampleKey(fact))
  }
  return samples.size
}

function sampleKey(fact: EpisodeFact): string {
  return fact.mode === 'recorded-real' && fact.recordingDigest
    ? fact.recordingDigest
    : fact.episodeId
}

/** All planned episodes ran. The ranking makes sure that excluded ones cannot decide a verdict (`pairPValues`). */
export const completeRule = evidenceRule({
  code: 'complete',
  fromSeed: false,
  demand: ({ thresholds }) =>
    `Every planned episode is present, also of the other arms of its runs (of a plan that stops when decided: up to the registered look at which the sealed episodes of both sides decide), and at most ${formatLevel(thresholds.voidShare)} are excluded from scoring.`,
  check: (input) => missingComplaint(input) ?? armComplaint(input) ?? voidComplaint(input),
})

function missingComplaint({ facts, context }: EligibilityCase): RuleFailure | null {
  const { missing = listMissing(facts, context.planned) } = context
  if (missing.length === 0) return null
  return {
    reason: `${missing.length} of ${countOf(context.planned.length, 'planned episode is', 'planned episodes are')} missing or cancelled (tasks: ${listNames(missing.map((slot) => slot.taskId))}).`,
    remedy: 'Wait for the run to finish, or resume it.',
  }
}

/** A sender who submits only some arms of a run could have chosen them by their results. */
function armComplaint({ context: { unfinishedArms = [] } }: EligibilityCase): RuleFailure | null {
  if (unfinishedArms.length === 0) return null
  return {
    reason: `Planned episodes of ${pluralForm(unfinishedArms.length, 'another arm', 'other arms')} of its runs are missing: ${listNames(unfinishedArms)}.`,
    remedy: 'Wait for the run to finish, or resume it and submit all of its arms.',
  }
}

function voidComplaint({ facts, context }: EligibilityCase): RuleFailure | null {
  const voids = countVoids(facts)
  const ended = voids + countScored(facts)
  const { voidShare } = context.policy.thresholds
  if (voids <= voidShare * ended) return null
  return {
    reason: `${countOf(voids, 'episode')} of ${ended} (${formatLevel(voids / ended)}) ${pluralForm(voids, 'was', 'were')} excluded from scoring; the limit is ${formatLevel(voidShare)}.`,
    remedy: 'Resume the run to retry the excluded episodes.',
  }
}

function countVoids(facts: readonly EpisodeFact[]): number {
  return facts.filter(({ status }) => status === 'void').length
}

function countScored(facts: readonly EpisodeFact[]): number {
  return facts.filter(({ status }) => isScored(status)).length
}

/** Retries must not hide failures: an agent that can break an attempt could otherwise have its failures excluded. */
export const voidAttemptsRule = evidenceRule({
  code: 'void-attempts',
  fromSeed: false,
  demand: ({ thresholds, voidsPerSlot }) =>
    `At most ${formatLevel(thresholds.voidShare)} of all attempts are excluded from scoring, including those that were retried or replaced and planned episodes that a sender never sent and topped up, and at most ${countOf(voidsPerSlot, 'attempt')} per slot.`,
  check: ({ facts, context }) => {
    const unsent = context.unsent?.length ?? 0
    const replaced = context.replacedVoids.length + unsent
    if (replaced === 0) return null // attempts that still count as excluded are checked by \`complete\`
    const voids = replaced + countVoids(facts)
    const ended = voids + countScored(facts)
    const { voidShare } = context.policy.thresholds
    if (voids <= voidShare * ended) return slotComplaint(context)
    const never = unsent > 0 ? ` (${unsent} never sent)` : ''
    return {
      reason: `${countOf(voids, 'attempt')} of ${ended} (${formatLevel(voids / ended)}) ${pluralForm(voids, 'was', 'were')} excluded from scoring, of which ${replaced} replaced${never}; the limit is ${formatLevel(voidShare)}.`,
      remedy:
        unsent > 0
          ? 'Resume the run and submit its missing episodes: a top-up does not replace episodes that were never sent.'
          : 'Find the cause in the excluded attempts, then measure again in a new run.',
    }
  },
})

/** An agent that can break its attempts must not retry until one succeeds. */
function slotComplaint({ replacedVoids, policy }: EligibilityContext): RuleFailure | null {
  const slots = countEach(
    replacedVoids.map(({ runId, taskId, repetition }) => `${runId}/${taskId}/${repetition}`),
  )
  const [worst] = [...slots].sort((a, b) => b[1] - a[1])
  if (!worst || worst[1] <= policy.voidsPerSlot) return null
  return {
    reason: `Slot ${worst[0]} was retried after ${countOf(worst[1], 'excluded attempt')}; the limit is ${policy.voidsPerSlot} per slot.`,
    remedy: 'Find the cause in the excluded attempts, then measure again in a new run.',
  }
}

/** Only excluded attempts may be retried; otherwise an agent could be run until it passes. */
export const retriesRule = evidenceRule({
  code: 'retries',
  fromSeed: false,
  isByKind: true,
  demand: () =>
    'Only excluded or cancelled attempts are retried, and at most as often as the plan allows.',
  check: ({ facts, context }) => {
    const slots = context.retriedSlots
    if (slots.length === 0) return tooOften(facts)
    return {
      reason: `A scored attempt was retried in ${countOf(slots.length, 'slot')} (tasks: ${listNames(slots.map((slot) => slot.taskId))}).`,
      remedy: 'Run the plan again and keep the first scored attempt of each slot.',
    }
  },
})

function tooOften(facts: readonly EpisodeFact[]): RuleFailure | null {
  const over = facts.filter(
    ({ attempt, settings: { maxAttempts } }) => maxAttempts !== null && attempt > maxAttempts,
  )
  const [first] = over
  if (!first) return null
  return {
    reason: `Task ${first.taskId} counts attempt ${first.attempt} of at most ${first.settings.maxAttempts}${over.length > 1 ? `, and so do ${countOf(over.length - 1, 'more slot')}` : ''}.`,
    remedy: 'Run the plan again, or create a plan that allows more attempts.',
  }
}

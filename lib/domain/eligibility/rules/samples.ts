import { isScored } from '../../outcome.ts'
import { countSamples } from '../count-samples.ts'
import type { GateCase } from '../eligibility-context.ts'
import { isLlmDriven } from '../is-llm-driven.ts'
import { listNames } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** Seed: 10 samples for an aggregate, 20 for a result about one task; a suite may require more. */
export const samplesRule: Rule = {
  code: 'samples',
  fromSeed: true,
  demand: ({ thresholds, modelRepetitions }) =>
    `At least ${thresholds.aggregateEpisodes} independent scored episodes for an aggregate, with one of every task (stress entries: every task that supports the fault), ` +
    `and ${modelRepetitions} of every task for entries driven by a language model; ` +
    `at least ${thresholds.perTaskEpisodes} for a result or chart about one task.`,
  check: ({ facts, context }) => {
    const scored = facts.filter((fact) => isScored(fact.status))
    const samples = countSamples(scored)
    const { aggregateEpisodes, perTaskEpisodes } = context.policy.thresholds
    const needed = context.claim === 'task' ? perTaskEpisodes : aggregateEpisodes
    const seen = new Set(scored.map((fact) => fact.taskId))
    const fault = facts.find((fact) => fact.fault !== null)?.settings.fault
    const asked = context.suiteTasks.filter((task) => takesFault(task, fault))
    const unseen = asked.filter((task) => !seen.has(task.taskId))
    if (samples >= needed && unseen.length === 0) return thinComplaint({ facts: scored, context })
    return complain(
      samples,
      needed,
      unseen.map((task) => task.taskId),
      context.claim,
    )
  },
}

/** A stress entry needs only the tasks that support its fault; exercises support any. */
function takesFault(
  { faults }: GateCase['context']['suiteTasks'][number],
  fault: string | undefined,
): boolean {
  return fault === undefined || faults === undefined || Object.hasOwn(faults, fault)
}

function complain(samples: number, needed: number, unseen: string[], claim: string): Complaint {
  const about = claim === 'task' ? 'a result about one task' : 'an aggregate'
  const few = `${samples} of the ${needed} scored episodes required for ${about}`
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
function thinComplaint({ facts, context }: GateCase): Complaint | null {
  const { modelRepetitions } = context.policy
  if (context.claim === 'task' || !facts.some(isLlmDriven)) return null
  const thin = [...new Set(facts.map(({ taskId }) => taskId))].filter(
    (taskId) => countSamples(facts.filter((fact) => fact.taskId === taskId)) < modelRepetitions,
  )
  if (thin.length === 0) return null
  return {
    reason: `Entries driven by a language model need ${modelRepetitions} scored episodes of every task; ${listNames(thin)} ${thin.length === 1 ? 'has' : 'have'} fewer.`,
    remedy: `Run every task at least ${modelRepetitions} times with the same settings.`,
  }
}

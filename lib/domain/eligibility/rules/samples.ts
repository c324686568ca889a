import { isScored } from '../../outcome.ts'
import { countSamples } from '../count-samples.ts'
import type { GateCase } from '../eligibility-context.ts'
import { isLlmDriven } from '../is-llm-driven.ts'
import { listNames } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** Seed: 10 samples for an aggregate, 20 for a claim about one task; a suite may ask for more. */
export const samplesRule: Rule = {
  code: 'samples',
  fromSeed: true,
  demand: ({ thresholds, modelRepetitions }) =>
    `At least ${thresholds.aggregateEpisodes} independent scored episodes, with one of every task (of a stress row: that takes the fault), for an aggregate, ` +
    `and of every task ${modelRepetitions} where a language model drives the subject; ` +
    `at least ${thresholds.perTaskEpisodes} for a claim or a chart about one task.`,
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

/** A stress row is asked for the tasks into which its fault can be broken; an exercise takes any. */
function takesFault(
  { faults }: GateCase['context']['suiteTasks'][number],
  fault: string | undefined,
): boolean {
  return fault === undefined || faults === undefined || Object.hasOwn(faults, fault)
}

function complain(samples: number, needed: number, unseen: string[], claim: string): Complaint {
  const about = claim === 'task' ? 'a claim about one task' : 'an aggregate'
  const few = `${samples} of the ${needed} scored episodes that ${about} needs`
  const none = `no scored episode of ${listNames(unseen)}`
  const more = `${Math.max(needed - samples, unseen.length)} more`
  if (unseen.length === 0)
    return { reason: `Only ${few}.`, remedy: `Run ${more} under the same settings.` }
  if (samples >= needed)
    return {
      reason: `There is ${none}.`,
      remedy: `Run ${listNames(unseen)} under the same settings.`,
    }
  return {
    reason: `Only ${few}, and ${none}.`,
    remedy: `Run at least ${more} under the same settings, ${listNames(unseen)} among them.`,
  }
}

/** A model answers otherwise every time: one try of a task says how it went once. */
function thinComplaint({ facts, context }: GateCase): Complaint | null {
  const { modelRepetitions } = context.policy
  if (context.claim === 'task' || !facts.some(isLlmDriven)) return null
  const thin = [...new Set(facts.map(({ taskId }) => taskId))].filter(
    (taskId) => countSamples(facts.filter((fact) => fact.taskId === taskId)) < modelRepetitions,
  )
  if (thin.length === 0) return null
  return {
    reason: `A language model drives the subject, and ${listNames(thin)} ${thin.length === 1 ? 'has' : 'have'} fewer than ${modelRepetitions} scored episodes.`,
    remedy: `Run every task at least ${modelRepetitions} times under the same settings.`,
  }
}

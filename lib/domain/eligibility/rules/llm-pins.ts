import type { EpisodeFact } from '../../board/episode-fact.ts'
import type { EligibilityContext, FrozenPlan } from '../eligibility-context.ts'
import { isLlmDriven } from '../is-llm-driven.ts'
import { listNames } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** Seed: model, temperature and budgets of a language model are pinned before the first episode starts. */
export const llmPinsRule: Rule = {
  code: 'llm-pins',
  fromSeed: true,
  demand: () =>
    'For an entry driven by a language model, the plan pins model id, temperature (a number or provider-fixed), ' +
    'max steps, token budget and cost budget before the first episode starts.',
  check: ({ facts, context }) => {
    const driven = facts.filter(isLlmDriven)
    const missing = new Set(driven.flatMap((fact) => missingPins(fact, context)))
    if (missing.size > 0) return missingComplaint(missing)
    const early = driven.filter((fact) => startedEarly(fact, context.plans.get(fact.planDigest)))
    if (early.length === 0) return null
    return {
      reason: `${early.length} of ${driven.length} episodes started before their plan was frozen, so their settings were not pinned in advance.`,
      remedy: 'Freeze a plan, then run it.',
    }
  },
}

function missingPins(fact: EpisodeFact, context: EligibilityContext): string[] {
  const plan = context.plans.get(fact.planDigest)
  if (!plan) return ['the plan itself']
  const { temperature, maxSteps, maxTokens, maxCostMicroUsd } = plan.settings
  const pins = {
    'model id': plan.subject.modelRequested || null,
    temperature: Number.isNaN(temperature) ? null : temperature,
    'max steps': maxSteps,
    'token budget': maxTokens,
    'cost budget': maxCostMicroUsd,
  }
  return Object.entries(pins).flatMap(([name, value]) => (value === null ? [name] : []))
}

function missingComplaint(missing: Set<string>): Complaint {
  return {
    reason: `Not pinned in the plan: ${listNames(missing, 6)}.`,
    remedy: 'Create a plan that pins all five (temperature may be provider-fixed) and run it.',
  }
}

/** ISO instants in UTC of one form: they compare as text. */
function startedEarly(fact: EpisodeFact, plan: FrozenPlan | undefined): boolean {
  return plan !== undefined && fact.startedAt < plan.frozenAt
}

import type { EpisodeFact } from '../../board/episode-fact.ts'
import type { EligibilityContext } from '../eligibility-context.ts'
import { isLlmDriven } from '../is-llm-driven.ts'
import { isSameRecord } from '../is-same-record.ts'
import { countOf } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** An episode counts only under the plan that was frozen before it started, with the settings of that plan. */
export const frozenPlanRule: Rule = {
  code: 'frozen-plan',
  fromSeed: false,
  demand: () =>
    'Every episode ran under a known plan, after it was frozen, with the settings and the subject it names.',
  check: ({ facts, context }) => {
    const faults = facts.flatMap((fact) => breach(fact, context) ?? [])
    if (faults.length === 0) return null
    const kinds = [...new Set(faults)].sort().join('; ')
    return {
      reason: `${countOf(faults.length, 'episode')} of ${facts.length} broke the plan: ${kinds}.`,
      remedy:
        'Freeze a plan, hand it in with the results, and run it without changing its settings.',
    }
  },
}

function breach(fact: EpisodeFact, context: EligibilityContext): string | null {
  const plan = context.plans.get(fact.planDigest)
  if (!plan) return 'the plan is unknown'
  if (!isSameRecord(fact.settings, plan.settings)) return 'other settings were used'
  if (!isSameRecord(fact.subject, plan.subject)) return 'another subject was run'
  // For a model-driven subject the same breach is told by llm-pins, in the seed's own words.
  if (!isLlmDriven(fact) && fact.startedAt < plan.frozenAt)
    return 'started before the plan was frozen'
  return null
}

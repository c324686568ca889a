import type { EpisodeFact } from '../../board/episode-fact.ts'
import type { EligibilityContext } from '../eligibility-context.ts'
import { isLlmDriven } from '../is-llm-driven.ts'
import { isSameRecord } from '../is-same-record.ts'
import { countOf } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** An episode counts only under a plan that was frozen before it started, with that plan's settings. */
export const frozenPlanRule: Rule = {
  code: 'frozen-plan',
  fromSeed: false,
  demand: () =>
    'Every episode ran under a known plan, after the plan was frozen, with the plan’s settings and agent or library.',
  check: ({ facts, context }) => {
    const faults = facts.flatMap((fact) => breach(fact, context) ?? [])
    if (faults.length === 0) return null
    const kinds = [...new Set(faults)].sort().join('; ')
    return {
      reason: `${countOf(faults.length, 'episode')} of ${facts.length} did not follow the plan: ${kinds}.`,
      remedy:
        'Freeze a plan, run it without changing its settings, and upload it with the results.',
    }
  },
}

function breach(fact: EpisodeFact, context: EligibilityContext): string | null {
  const plan = context.plans.get(fact.planDigest)
  if (!plan) return 'unknown plan'
  if (!isSameRecord(fact.settings, plan.settings)) return 'different settings'
  if (!isSameRecord(fact.subject, plan.subject)) return 'different agent or library'
  // For model-driven entries llm-pins reports the same violation.
  if (!isLlmDriven(fact) && fact.startedAt < plan.frozenAt)
    return 'started before the plan was frozen'
  return null
}

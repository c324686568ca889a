import { isScored } from '../../outcome.ts'
import { isLlmDriven } from '../is-llm-driven.ts'
import type { Rule } from '../rule.ts'

/** Budgets and costs of a language model are only known when somebody other than the agent counted them. */
export const unmeteredRule: Rule = {
  code: 'unmetered',
  fromSeed: false,
  demand: () =>
    'What a language model used was counted by the metering gateway, not left to the word of the agent.',
  check: ({ facts }) => {
    const driven = facts.filter((fact) => isLlmDriven(fact) && isScored(fact.status))
    const unmetered = driven.filter((fact) => !fact.metered)
    if (unmetered.length === 0) return null
    return {
      reason: `Nobody counted tokens, steps and model of ${unmetered.length} of ${driven.length} episodes, so their budgets were not kept by the harness.`,
      remedy:
        'Run an agent that can be pointed at the metering gateway; one that cannot stays outside the ranking.',
    }
  },
}

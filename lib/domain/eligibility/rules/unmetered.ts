import { isScored } from '../../outcome.ts'
import { isLlmDriven } from '../is-llm-driven.ts'
import type { Rule } from '../rule.ts'

/** Usage and cost of a model must be counted by the gateway, not by the agent. */
export const unmeteredRule: Rule = {
  code: 'unmetered',
  fromSeed: false,
  demand: () => 'Model usage was counted by the metering gateway, not reported by the agent.',
  check: ({ facts }) => {
    const driven = facts.filter((fact) => isLlmDriven(fact) && isScored(fact.status))
    const unmetered = driven.filter((fact) => !fact.metered)
    if (unmetered.length === 0) return null
    return {
      reason: `Tokens, steps and model were not metered in ${unmetered.length} of ${driven.length} episodes, so the harness could not enforce their budgets.`,
      remedy: 'Use an agent that supports the metering gateway. Unmetered agents cannot be ranked.',
    }
  },
}

/** Null = no limit. */
export type Budgets = {
  maxSteps: number | null
  maxTokens: number | null
  maxCostMicroUsd: number | null
}

export type SpentBudget = {
  budget: 'time' | 'steps' | 'tokens' | 'cost'
  reason: string
  /** In the budget's own unit: steps, tokens, micro-dollars; null for time. */
  spent: number | null
}

/** What an episode has used so far, as far as it is known. */
export type BudgetUse = {
  steps: number
  knownTokens: { input: number; output: number }
  knownCostMicroUsd: number
}

/**
 * Looks before a request is forwarded. Turns under way count as steps, so that parallel requests cannot slip through;
 * tokens (input and output) and cost count as far as they are known.
 */
export function findSpentBudget(
  budgets: Budgets,
  so: BudgetUse,
  underWay: number,
): SpentBudget | null {
  const tokens = so.knownTokens.input + so.knownTokens.output
  const { maxSteps, maxTokens, maxCostMicroUsd } = budgets
  if (maxSteps !== null && so.steps + underWay >= maxSteps)
    return spent('steps', so.steps + underWay, `${maxSteps} steps`)
  if (maxTokens !== null && tokens >= maxTokens)
    return spent('tokens', tokens, `${tokens} of ${maxTokens} tokens`)
  if (maxCostMicroUsd !== null && so.knownCostMicroUsd >= maxCostMicroUsd)
    return spent(
      'cost',
      so.knownCostMicroUsd,
      `$${dollars(so.knownCostMicroUsd)} of $${dollars(maxCostMicroUsd)}`,
    )
  return null
}

export const TIME_SPENT: SpentBudget = {
  budget: 'time',
  reason: 'The time of this attempt is over.',
  spent: null,
}

function spent(budget: 'steps' | 'tokens' | 'cost', amount: number, words: string): SpentBudget {
  return {
    budget,
    reason: `The ${budget} budget of this attempt is spent: ${words}.`,
    spent: amount,
  }
}

function dollars(microUsd: number): string {
  return (microUsd / 1e6).toFixed(4)
}

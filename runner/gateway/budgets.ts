import { countOf } from '#lib/domain/text/index.ts'
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

/** Usage of an episode so far; `charged` includes estimates for calls of unknown usage. */
export type BudgetUse = {
  steps: number
  charged: { tokens: number; costMicroUsd: number; estimatedCalls: number }
  unpricedCalls: number
}

/**
 * Finds a spent budget before a request is forwarded. Running turns count as steps, so that parallel requests cannot
 * exceed the limit; their tokens (input and output) and cost are reserved by admission.ts.
 */
export function findSpentBudget(
  budgets: Budgets,
  so: BudgetUse,
  underWay: number,
): SpentBudget | null {
  const { tokens, costMicroUsd, estimatedCalls } = so.charged
  const { maxSteps, maxTokens, maxCostMicroUsd } = budgets
  if (maxSteps !== null && so.steps + underWay >= maxSteps)
    return spent('steps', so.steps + underWay, countOf(maxSteps, 'step'))
  if (maxTokens !== null && tokens >= maxTokens)
    return spent(
      'tokens',
      tokens,
      `${tokens} of ${countOf(maxTokens, 'token')}${describeEstimated(estimatedCalls)}`,
    )
  if (maxCostMicroUsd !== null && costMicroUsd >= maxCostMicroUsd)
    return spent(
      'cost',
      costMicroUsd,
      `$${dollars(costMicroUsd)} of $${dollars(maxCostMicroUsd)}${describeEstimated(so.unpricedCalls)}`,
    )
  return null
}

function describeEstimated(calls: number): string {
  return calls > 0 ? `, ${calls} of the calls estimated` : ''
}

/** Returns true if running calls reserve the rest of a budget while their responses are not read. */
export function heldByUnread({ maxTokens }: Budgets, { charged }: BudgetUse): SpentBudget {
  const budget = maxTokens === null ? 'cost' : 'tokens'
  return {
    budget,
    reason: `The rest of the ${budget} budget of this attempt is held by calls under way whose answers are not read.`,
    spent: maxTokens === null ? charged.costMicroUsd : charged.tokens,
  }
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

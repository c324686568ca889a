import { priceUsage } from '#lib/domain/cost/price-usage.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import { pickAgent } from '../agents/load-agents.ts'
import { Spending } from '../spending.ts'
import { UsageError } from './cli-error.ts'

type Asked = { spendCap?: number; agentFile?: string }

/** One token each way: a model of known price has an answer to that. */
const ONE = { input: 1, output: 1, cacheRead: null, cacheWrite: null, reasoning: null }

/** The run's cap, or null when none is asked for; refuses one that nobody could keep, in one sentence. */
export function openSpending(plan: FrozenPlan, { spendCap, agentFile }: Asked): Spending | null {
  if (spendCap === undefined) return null
  const { provider, modelRequested: model, name } = plan.subject
  if (model === null || !isMetered(plan, agentFile ?? null))
    throw new UsageError(
      `"${name}" does not call a model through the gateway, so --spend-cap cannot be enforced: remove it`,
    )
  const price = priceUsage({ provider, model, tokens: ONE, at: plan.frozenAt })
  if (price.costMicroUsd === null)
    throw new UsageError(
      `"${model}" of ${provider ?? 'that provider'} is not in the price table, so --spend-cap cannot be enforced: remove it`,
    )
  return new Spending(spendCap, plan.settings.maxCostMicroUsd)
}

/** A model that drives a browser library always speaks through the gateway. */
function isMetered({ subject, command }: FrozenPlan, agentFile: string | null): boolean {
  if (subject.kind !== 'agent') return true
  return command === null && pickAgent(subject.name, agentFile).metering === 'gateway'
}

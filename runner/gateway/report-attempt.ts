import type { GatewayReport as AttemptReport } from '../agents/gateway-port.ts'
import type { FaultPlan } from './faults/fault-plan.ts'
import type { GatewayReport } from './gateway-report.ts'

/**
 * The gateway's report in the words of an attempt. Provider trouble counts only when nothing came after it and
 * the agent did not bring it about by a burst of calls. Throws when
 * the gateway itself failed: then nobody knows what the agent was given, and the attempt is void.
 */
export function reportAttempt(report: GatewayReport, plans: readonly FaultPlan[]): AttemptReport {
  const [ownError] = report.ownErrors
  if (ownError !== undefined) throw new Error(`the gateway failed: ${ownError}`)
  const { exhausted, providerTrouble } = report
  return {
    requests: report.requests.metered,
    steps: report.steps,
    toolCalls: report.toolCalls,
    firstTool: report.firstTool,
    tokens: report.tokens,
    costMicroUsd: report.costMicroUsd,
    priceTable: report.priceTable,
    modelObserved: report.models,
    retries: report.retries,
    exhausted: exhausted ? { budget: exhausted.budget, reason: exhausted.reason } : null,
    providerTrouble:
      providerTrouble && providerTrouble.unrecovered > 0 && !providerTrouble.isProvoked
        ? { kind: providerTrouble.kind, count: providerTrouble.unrecovered }
        : null,
    replayMiss: report.replayMisses[0]?.path ?? null,
    faults: plans.map((plan) => reportFault(plan, report)),
  }
}

/** Recovered = the step that was hit was made in the end. */
function reportFault(
  plan: FaultPlan,
  { faults, steps }: GatewayReport,
): AttemptReport['faults'][number] {
  const hits = faults.filter(({ kind, step }) => kind === plan.kind && step >= plan.atStep)
  const last = hits.at(-1)
  return {
    plan: plan.kind,
    point: `step ${plan.atStep}`,
    firedAt: hits[0]?.at ?? null,
    recovered: last ? steps >= last.step : null,
  }
}

import type { GatewayCall } from '#lib/domain/record/usage.ts'
import type { AttemptReport, OpenGateway } from './attempt-gateway.ts'
import { describeCall } from './call-record.ts'
import type { FaultPlan } from './faults.ts'
import type { GatewayOrder, GatewayReport, Upstream } from './gateway-order.ts'
import type { Protocol } from './protocol.ts'
import { startGateway } from './start-gateway.ts'

/** What an attempt's gateway is made of beside what the agent's driver asks for. */
export type AttemptParts = Omit<GatewayOrder, 'upstreams' | 'pins' | 'budgets' | 'signal'> & {
  /** Where a provider is, with its real key; may throw when it has none. */
  upstream: (provider: string, protocol: Protocol) => Upstream
  /** Everything else that ends with the gateway. */
  onClosed: (report: GatewayReport) => Promise<void>
  agent: { name: string; version: string | null }
  /** What must not stand in a recording. */
  secrets: readonly string[]
}

type Asked = Pick<
  Parameters<OpenGateway>[0],
  'protocol' | 'provider' | 'pins' | 'budgets' | 'signal'
>

/** The agents' port onto this gateway: one attempt, one protocol, one provider. */
export async function openForAttempt(
  { upstream, onClosed, agent, secrets, ...parts }: AttemptParts,
  { protocol, provider, pins, budgets, signal }: Asked,
): ReturnType<OpenGateway> {
  const gateway = await startGateway({
    ...parts,
    upstreams: { [protocol]: upstream(provider, protocol) },
    pins,
    budgets,
    signal,
  })
  const calls: GatewayCall[] = []
  gateway.onCall((call) => calls.push(describeCall(call)))
  const finish = async () => {
    const { models } = gateway.report()
    const recordedAt = parts.clock.now()
    const about = { provider, models, agent, recordedAt, secrets }
    return (await parts.recorder?.finish(about))?.text ?? null
  }
  return {
    url: gateway.url(protocol),
    dummyKey: gateway.dummyKey,
    report: () => reportAttempt(gateway.report(), parts.faults),
    onStep: (listener) => {
      gateway.onCall(({ isStep }) => isStep && listener())
    },
    toolSteps: gateway.toolSteps,
    calls: () => calls.toSorted((a, b) => a.number - b.number),
    recording: finish,
    close: async () => {
      await gateway.close()
      await onClosed(gateway.report())
    },
  }
}

/**
 * The gateway's report in the terms of an attempt. A provider failure counts only when nothing came after it and
 * the agent did not bring it about by a burst of calls. Throws when
 * the gateway itself failed: then it is unknown what the agent was given, and the attempt is void.
 */
function reportAttempt(report: GatewayReport, plans: readonly FaultPlan[]): AttemptReport {
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

import type { GatewayCall } from '#lib/domain/gateway-call.ts'
import type { OpenGateway } from '../agents/gateway-port.ts'
import { describeCall } from './describe-call.ts'
import type { GatewayOrder, Upstream } from './gateway-order.ts'
import type { GatewayReport } from './gateway-report.ts'
import type { Protocol } from './protocol.ts'
import { reportAttempt } from './report-attempt.ts'
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
    calls: () => calls.toSorted((a, b) => a.number - b.number),
    recording: finish,
    close: async () => {
      await gateway.close()
      await onClosed(gateway.report())
    },
  }
}

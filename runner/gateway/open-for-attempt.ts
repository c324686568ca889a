import type { OpenGateway } from '../agents/gateway-port.ts'
import type { GatewayOrder, Upstream } from './gateway-order.ts'
import type { GatewayReport } from './gateway-report.ts'
import type { Protocol } from './protocol.ts'
import { reportAttempt } from './report-attempt.ts'
import { startGateway } from './start-gateway.ts'

/** What an attempt's gateway is made of beside what the agent's driver asks for. */
export type AttemptParts = Omit<GatewayOrder, 'upstreams' | 'pins' | 'budgets' | 'signal'> & {
  /** Where a provider is, with its real key; may throw when it has none. */
  upstream: (provider: string, protocol: Protocol) => Upstream
  /** Hears the whole report when the gateway has closed. */
  onClosed: (report: GatewayReport) => void
}

/** The agents' port onto this gateway: one attempt, one protocol, one provider. */
export function openForAttempt(parts: AttemptParts): OpenGateway {
  const { upstream, onClosed, ...rest } = parts
  return async ({ protocol, provider, pins, budgets, signal }) => {
    const gateway = await startGateway({
      ...rest,
      upstreams: { [protocol]: upstream(provider, protocol) },
      pins,
      budgets,
      signal,
    })
    return {
      url: gateway.url(protocol),
      dummyKey: gateway.dummyKey,
      report: () => reportAttempt(gateway.report(), parts.faults),
      close: async () => {
        await gateway.close()
        onClosed(gateway.report())
      },
    }
  }
}

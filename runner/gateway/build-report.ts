import type { GatewayContext } from './gateway-context.ts'
import type { GatewayReport } from './gateway-report.ts'

/** What the gateway saw up to now; a copy that later calls do not change. */
export function buildReport(context: GatewayContext): GatewayReport {
  const { ledger, counts, faults, spent, replayMisses, ownErrors } = context
  return structuredClone({
    ...ledger.tally(),
    requests: {
      ...counts,
      metered: ledger.metered,
      inFlight: ledger.inFlight,
      abandoned: counts.abandoned + ledger.abandoned,
    },
    exhausted: spent,
    faults: faults.fired,
    replayMisses,
    ownErrors,
  })
}

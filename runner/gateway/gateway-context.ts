import type { AdmissionLine } from './admission.ts'
import type { SpentBudget } from './budgets.ts'
import type { CallLedger } from './call-ledger.ts'
import type { UpstreamPool } from './call-upstream.ts'
import type { FaultLine } from './faults.ts'
import type { GatewayOptions } from './gateway-options.ts'
import type { GatewayReport } from './gateway-report.ts'

/** What the parts of one running gateway share. */
export type GatewayContext = {
  options: GatewayOptions
  pool: UpstreamPool
  ledger: CallLedger
  /** Calls that wait for what others hold of a budget. */
  line: AdmissionLine
  faults: FaultLine
  /** First part of every path: the secret that identifies the agent. */
  secret: string
  dummyKey: string
  /** The real keys, which never leave the gateway. */
  realKeys: readonly string[]
  counts: Pick<
    GatewayReport['requests'],
    'passedOn' | 'unauthorized' | 'upgradesRefused' | 'refused' | 'abandoned'
  >
  /** The first budget that was found spent; it stays spent. */
  spent: SpentBudget | null
  /** Requests that got the final turn already. */
  blocked: number
  replayMisses: GatewayReport['replayMisses']
  ownErrors: string[]
}

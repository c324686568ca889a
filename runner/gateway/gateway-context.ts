import { randomBytes } from 'node:crypto'
import { secretFinder } from '../redact/find-secrets.ts'
import { redactText } from '../redact/redact.ts'
import { AdmissionLine } from './admission.ts'
import type { SpentBudget } from './budgets.ts'
import { CallLedger } from './call-ledger.ts'
import { UpstreamPool } from './call-upstream.ts'
import { FaultLine } from './faults.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { faultOutcome, type GatewayReport } from './gateway-report.ts'

/** State shared by the parts of one running gateway. */
export type GatewayContext = {
  options: GatewayOptions
  pool: UpstreamPool
  ledger: CallLedger
  /** Calls waiting for budget reserved by others. */
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
  /** The first budget found spent; it stays spent. */
  spent: SpentBudget | null
  /** Number of requests that already got the final turn. */
  blocked: number
  replayMisses: GatewayReport['replayMisses']
  ownErrors: string[]
}

export function makeContext(options: GatewayOptions): GatewayContext {
  const context: GatewayContext = {
    options,
    pool: new UpstreamPool(),
    ledger: new CallLedger(options.clock, (error) => noteOwnError(context, error)),
    line: new AdmissionLine(options.budgets),
    faults: new FaultLine(options.faults),
    secret: randomBytes(24).toString('base64url'),
    dummyKey: `sk-proofboard-${randomBytes(16).toString('hex')}`,
    realKeys: realKeys(options),
    counts: { passedOn: 0, unauthorized: 0, upgradesRefused: 0, refused: 0, abandoned: 0 },
    spent: null,
    blocked: 0,
    replayMisses: [],
    ownErrors: [],
  }
  return context
}

/** The header values, and the part after a scheme such as Bearer. */
function realKeys({ upstreams }: GatewayOptions): string[] {
  const values = Object.values(upstreams).flatMap((upstream) => Object.values(upstream.headers))
  return [...new Set(values.flatMap((value) => [value, value.replace(/^\w+ /, '')]))].filter(
    (value) => value.length >= 8,
  )
}

export function noteOwnError({ ownErrors, realKeys: keys }: GatewayContext, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  ownErrors.push(redactText(message, secretFinder(keys)).text)
}

/** Returns a snapshot of what the gateway has seen; later calls do not change it. */
export function buildReport(context: GatewayContext): GatewayReport {
  const { options, ledger, counts, faults, spent, replayMisses, ownErrors } = context
  const totals = ledger.tally()
  return structuredClone({
    ...totals,
    finalAnswerAt: ledger.inFlight > 0 ? null : totals.finalAnswerAt,
    isWaiting: ledger.isWaiting,
    requests: {
      ...counts,
      metered: ledger.metered,
      inFlight: ledger.inFlight,
      abandoned: counts.abandoned + ledger.abandoned,
    },
    exhausted: spent,
    faults: faults.fired,
    faultOutcomes: options.faults.map((plan) => faultOutcome(plan, faults.fired, totals.steps)),
    replayMisses,
    ownErrors,
  })
}

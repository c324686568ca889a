import type { CallRecord } from './call-record.ts'
import type { ProviderFailure, TroubleKind } from './gateway-report.ts'

/**
 * This many calls started within this many milliseconds are a burst. A working agent requests, reads the response and acts: one
 * with eight helpers that are all answered in three seconds begins 27.
 */
const BURST = { calls: 30, withinMs: 10_000 }
/** The effect of many calls at once; a refused key or a line that is down cannot be caused by a burst. */
const PROVOKED: ReadonlySet<TroubleKind> = new Set(['rate-limited', 'overloaded', 'server-error'])

/**
 * The provider's own failures so far, injected faults left out; null when there was none. What an agent could bring about
 * by itself does not count, else it could make its bad attempts void: a model that is not there counts only when no turn
 * was ever answered. A failure that nothing came after is marked when it began with a burst of the agent's own calls.
 */
export function findProviderFailure(calls: readonly CallRecord[]): ProviderFailure | null {
  const hasStep = calls.some(({ isStep }) => isStep)
  const kinds: Partial<Record<TroubleKind, number>> = {}
  const troubled: CallRecord[] = []
  let unrecovered = 0
  let began: CallRecord | null = null
  for (const call of calls) {
    const kind = troubleOf(call, hasStep)
    if (kind === null) {
      if (call.isStep) {
        unrecovered = 0
        began = null
      }
      continue
    }
    kinds[kind] = (kinds[kind] ?? 0) + 1
    troubled.push(call)
    unrecovered += 1
    began ??= PROVOKED.has(kind) ? call : null
  }
  const [first] = troubled
  const last = troubled.at(-1)
  if (!first || !last) return null
  const ranked = (Object.entries(kinds) as [TroubleKind, number][]).sort((a, b) => b[1] - a[1])
  return {
    kind: (ranked[0] as [TroubleKind, number])[0],
    count: troubled.length,
    kinds,
    firstAt: first.startedAt,
    lastAt: last.startedAt,
    unrecovered,
    isProvoked: began !== null && followsBurst(calls, began),
  }
}

/**
 * Whether the agent began a burst just before the first failed call, or while it was under way. Retries
 * after that call had failed do not count: retrying is what an agent should do.
 */
function followsBurst(calls: readonly CallRecord[], first: CallRecord): boolean {
  const from = Date.parse(first.startedAt) - BURST.withinMs
  const to = Date.parse(first.startedAt) + first.durationMs
  const starts = calls
    .filter(({ source }) => source !== 'gateway')
    .map(({ startedAt }) => Date.parse(startedAt))
    .filter((at) => at >= from && at <= to)
    .sort((a, b) => a - b)
  return starts.some((at, index) => {
    const last = starts[index + BURST.calls - 1]
    return last !== undefined && last - at <= BURST.withinMs
  })
}

/** Null unless the failure was the provider's. */
function troubleOf(call: CallRecord, hasStep: boolean): TroubleKind | null {
  if (call.fault !== null || call.source === 'gateway' || call.isStep) return null
  if (call.ending === 'unreachable') return 'unreachable'
  if (call.ending === 'upstream-cut') return 'cut'
  if (call.isAccountTrouble) return 'unauthorised'
  if (call.status !== null && call.status >= 400) return ofStatus(call.status, hasStep)
  if (call.streamError !== null) return ofError(call.streamError)
  // A stream that ended politely but without the protocol's last word.
  return call.ending === 'whole' && !call.stopReason ? 'cut' : null
}

function ofStatus(status: number, hasStep: boolean): TroubleKind | null {
  if (status === 404 && !hasStep) return 'unknown-model'
  if (status === 429) return 'rate-limited'
  if (status === 529 || status === 503) return 'overloaded'
  if (status >= 500) return 'server-error'
  return [401, 402, 403].includes(status) ? 'unauthorised' : null
}

function ofError(type: string): TroubleKind | null {
  const word = type.toLowerCase()
  if (/rate_limit|resource_exhausted|429/.test(word)) return 'rate-limited'
  if (/overloaded|unavailable|529|503/.test(word)) return 'overloaded'
  if (/authentication|permission|unauthenticated|billing|quota/.test(word)) return 'unauthorised'
  return /server|api_error|internal|timeout|50\d/.test(word) ? 'server-error' : null
}

/** Said with status 400 by providers that mean the account; only from the start, where no word of a request is repeated. */
const BEGINNINGS = [
  'Your credit balance is too low',
  'API key not valid',
  'API key expired',
  'Your account is not active',
  'You exceeded your current quota',
]

/** True when an error means the key or the account and not the request. */
export function isAccountTrouble(message: string | null): boolean {
  return message !== null && BEGINNINGS.some((beginning) => message.startsWith(beginning))
}

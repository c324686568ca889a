import type { CallRecord } from './call-record.ts'

export type TroubleKind =
  | 'rate-limited'
  | 'overloaded'
  | 'server-error'
  | 'unauthorised'
  | 'unknown-model'
  | 'unreachable'
  | 'cut'

export type ProviderTrouble = {
  /** The most frequent kind. */
  kind: TroubleKind
  count: number
  kinds: Partial<Record<TroubleKind, number>>
  firstAt: string
  lastAt: string
  /** Troubled calls in a row at the end: 0 = the provider answered again. */
  unrecovered: number
}

/**
 * The provider's own failures so far, injected faults left out; null when there was none. What an agent could bring about
 * by itself does not count, else it could make its bad attempts void: a model that is not there counts only when no turn
 * was ever answered.
 */
export function findProviderTrouble(calls: readonly CallRecord[]): ProviderTrouble | null {
  const hasStep = calls.some(({ isStep }) => isStep)
  const kinds: Partial<Record<TroubleKind, number>> = {}
  const troubled: CallRecord[] = []
  let unrecovered = 0
  for (const call of calls) {
    const kind = troubleOf(call, hasStep)
    if (kind === null) {
      if (call.isStep) unrecovered = 0
      continue
    }
    kinds[kind] = (kinds[kind] ?? 0) + 1
    troubled.push(call)
    unrecovered += 1
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
  }
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

import type { CallRecord } from './call-record.ts'
import type { ProviderFailure, TroubleKind } from './gateway-report.ts'

/**
 * This many calls started within this many milliseconds are a burst. A working agent requests, reads the response and
 * acts: one with eight helpers, each answered in three seconds, starts 27.
 */
const BURST = { calls: 30, withinMs: 10_000 }
/** Effects of too many calls at once; a refused key or a failed connection cannot be caused by a burst. */
const PROVOKED: ReadonlySet<TroubleKind> = new Set([
  ...(['rate-limited', 'overloaded', 'server-error', 'transient'] as const),
])

/**
 * Finds the provider's own failures so far, without injected faults; null = none. Failures that an agent can cause by
 * itself do not count, or it could make its bad attempts void: a missing model counts only if no turn ever succeeded. A
 * failure at the end is marked if it began with a burst of the agent's own calls.
 */
export function findProviderFailure(calls: readonly CallRecord[]): ProviderFailure | null {
  const hasStep = calls.some(({ isStep }) => isStep)
  const troubled = listTroubled(calls, hasStep)
  const [first] = troubled
  const last = troubled.at(-1)
  if (!first || !last) return null
  const atEnd = listTroubled(calls.slice(calls.findLastIndex(({ isStep }) => isStep) + 1), hasStep)
  const began = atEnd.find(({ kind }) => PROVOKED.has(kind))
  const kinds: Partial<Record<TroubleKind, number>> = {}
  for (const { kind } of troubled) kinds[kind] = (kinds[kind] ?? 0) + 1
  const ranked = (Object.entries(kinds) as [TroubleKind, number][]).sort((a, b) => b[1] - a[1])
  return {
    kind: (ranked[0] as [TroubleKind, number])[0],
    count: troubled.length,
    kinds,
    firstAt: first.call.startedAt,
    lastAt: last.call.startedAt,
    unrecovered: atEnd.length,
    isProvoked: began !== undefined && followsBurst(calls, began.call),
    neverAnswered: !hasStep,
    last: { status: last.call.status, message: last.call.errorMessage },
    retryAt: latest(atEnd.map(({ call }) => call)),
  }
}

type Troubled = { call: CallRecord; kind: TroubleKind }

function listTroubled(calls: readonly CallRecord[], hasStep: boolean): Troubled[] {
  return calls.flatMap((call) => {
    const kind = troubleOf(call, hasStep)
    return kind === null ? [] : [{ call, kind }]
  })
}

function latest(calls: readonly CallRecord[]): string | null {
  const instants = calls.map(({ retryAt }) => retryAt).filter((at) => at !== null)
  return instants.sort().at(-1) ?? null
}

/**
 * Returns true if the agent began a burst just before the first failed call or while it was running. Retries after that
 * call had failed do not count: retrying is what an agent should do.
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

/**
 * Null unless the provider caused the failure. A request that it calls invalid, or a missing model, is the agent's
 * fault once a turn has succeeded; before that, the attempt never began.
 */
function troubleOf(call: CallRecord, hasStep: boolean): TroubleKind | null {
  if (call.fault !== null || call.source === 'gateway' || call.isStep) return null
  if (call.ending === 'unreachable') return 'unreachable'
  if (call.ending === 'upstream-cut') return 'cut'
  const { failure } = call
  if (failure?.by === 'agent')
    return failure.kind === 'invalid-request' && !hasStep ? 'refused-request' : null
  if (failure?.kind === 'unknown-model' && hasStep) return null
  return failure?.kind ?? null
}

import type { LedgerAction } from './ledger-action.ts'
import type { LedgerEntry } from './ledger-entry.ts'

type Register = LedgerAction & { kind: 'register' }

/** A frozen plan that this server saw: `sequence` is its place in the ledger, `at` the server's time of receipt. */
export type Registration = Omit<Register, 'kind' | 'target'> & {
  planDigest: string
  sequence: number
  at: string
}

/** How a run first came in; `voucher` null = the entry is from before senders were recorded. */
export type Arrival = {
  runId: string
  planDigest: string
  sequence: number
  voucher: string | null
}

/** What the ledger says of registrations and arrivals: enough to tell what is owed and by whom. */
export type RegistrationBook = {
  registrations: readonly Registration[]
  /** By run id. */
  arrivals: ReadonlyMap<string, Arrival>
  /** Runs that do not count, by an entry with a public reason: nobody owes them. */
  removed: ReadonlySet<string>
  /** The registration that each arrived run fulfils, by run id. */
  matched: ReadonlyMap<string, Registration>
}

/** Reads the registrations out of a whole ledger, in its order. Pure. */
export function readRegistrations(entries: readonly LedgerEntry[]): RegistrationBook {
  const registrations: Registration[] = []
  const arrivals = new Map<string, Arrival>()
  const removed = new Set<string>()
  for (const { action, sequence, at } of entries) {
    if (action.kind === 'register') {
      const { kind: _, target: planDigest, ...rest } = action
      registrations.push({ ...rest, planDigest, sequence, at })
    } else if (action.kind === 'remove') removed.add(action.target)
    else if (action.kind === 'include') {
      const { target: runId, planDigest, receipt } = action
      removed.delete(runId)
      // Included again after a removal, a run still came when it first came.
      if (!arrivals.has(runId))
        arrivals.set(runId, { runId, planDigest, sequence, voucher: receipt?.voucher ?? null })
    }
  }
  const matched = matchRuns(registrations, [...arrivals.values()])
  return { registrations, arrivals, removed, matched }
}

/**
 * The registration that each arrived run fulfils, by run id: of the same plan, by the same sender, and made before the run
 * came in. Runs that are named come first; a registration of a bare number takes others in the order of their arrival.
 */
function matchRuns(
  registrations: readonly Registration[],
  arrivals: readonly Arrival[],
): Map<string, Registration> {
  const places = new Map<string, Place[]>()
  for (const registration of registrations) {
    const { planDigest, runs, expected } = registration
    const ids = new Set(runs.map(({ runId }) => runId))
    const own = places.get(planDigest) ?? []
    places.set(planDigest, own)
    own.push({ registration, ids, unnamed: expected - ids.size })
  }
  const matched = new Map<string, Registration>()
  for (const { runId, planDigest, sequence, voucher } of arrivals) {
    const own = (places.get(planDigest) ?? []).filter(
      ({ registration }) =>
        registration.sequence < sequence && registration.sender.voucher === voucher,
    )
    const place = own.find(({ ids }) => ids.has(runId)) ?? own.find(({ unnamed }) => unnamed > 0)
    if (!place) continue
    if (!place.ids.has(runId)) place.unnamed--
    matched.set(runId, place.registration)
  }
  return matched
}

type Place = { registration: Registration; ids: ReadonlySet<string>; unnamed: number }

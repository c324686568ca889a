import type { LedgerAction, LedgerEntry } from './ledger-entry.ts'
import { isSameSender } from './voucher.ts'

type Register = LedgerAction & { kind: 'register' }

/** A frozen plan received by this server: `sequence` is its place in the ledger, `at` the server's time of receipt. */
export type Registration = Omit<Register, 'kind' | 'target'> & {
  planDigest: string
  sequence: number
  at: string
  /** Hash of the entry; episodes that started after it can carry it. */
  hash: string
}

/** First receipt of a run; `voucher` null = the entry is from before senders were recorded. */
type Arrival = {
  runId: string
  planDigest: string
  sequence: number
  voucher: string | null
  /** Undefined = no account was recorded. */
  account: string | undefined
}

/** Registrations and received runs of the ledger: which registered runs are missing, and from whom. */
export type RegistrationBook = {
  registrations: readonly Registration[]
  /** Keyed by run id. */
  arrivals: ReadonlyMap<string, Arrival>
  /** Runs removed by an entry with a public reason, which do not have to be uploaded. */
  removed: ReadonlySet<string>
  /** The registration that each arrived run fulfils, by run id. */
  matched: ReadonlyMap<string, Registration>
  /** The same pairs as a list, to which later runs are appended. */
  matches: readonly { runId: string; registration: Registration }[]
  /** Entries that changed what a registration expects or received, in order. */
  changes: readonly { registration: Registration; sequence: number }[]
  /** The last entry that changed any of this, other than the receipt of an unregistered run. */
  changedBy: number
}

/** Reads the registrations of a whole ledger, in its order. */
export function readRegistrations(entries: readonly LedgerEntry[]): RegistrationBook {
  return new RegistrationReader().read(entries)
}

/**
 * Reads a ledger as it grows. Returns the same `RegistrationBook` object, to which runs are appended, as long as only
 * unregistered runs are received.
 */
export class RegistrationReader {
  readonly #registrations: Registration[] = []
  readonly #arrivals = new Map<string, Arrival>()
  readonly #removed = new Set<string>()
  readonly #matched = new Map<string, Registration>()
  readonly #matches: { runId: string; registration: Registration }[] = []
  readonly #changes: { registration: Registration; sequence: number }[] = []
  /** Registrations that name a run, by run id. */
  readonly #naming = new Map<string, Registration[]>()
  /** Keyed by plan digest. */
  readonly #places = new Map<string, Place[]>()
  #book: RegistrationBook = this.#open(0)

  /** Returns the book after these entries, which follow those already read. */
  read(entries: readonly LedgerEntry[]): RegistrationBook {
    let { changedBy } = this.#book
    for (const entry of entries) if (this.#take(entry)) changedBy = entry.sequence
    if (changedBy !== this.#book.changedBy) this.#book = this.#open(changedBy)
    return this.#book
  }

  #open(changedBy: number): RegistrationBook {
    const [registrations, arrivals] = [this.#registrations, this.#arrivals]
    const [matched, matches] = [this.#matched, this.#matches]
    const [removed, changes] = [this.#removed, this.#changes]
    return { registrations, arrivals, removed, matched, matches, changes, changedBy }
  }

  /** Returns true if the entry changes the book, other than by the receipt of an unregistered run. */
  #take(entry: LedgerEntry): boolean {
    const { action, sequence } = entry
    const { target } = action
    const wasThere = this.#arrivals.has(target)
    if (action.kind === 'register') this.#register(entry, action)
    if (action.kind === 'remove') this.#removed.add(target)
    if (action.kind === 'include') this.#include(entry, action)
    const fulfilled = this.#matched.get(target)
    const concerned = [...(this.#naming.get(target) ?? []), ...(fulfilled ? [fulfilled] : [])]
    for (const registration of concerned) this.#changes.push({ registration, sequence })
    // A run included again may have been removed before.
    const isAgain = action.kind === 'include' && wasThere
    return action.kind === 'register' || action.kind === 'remove' || isAgain || !!fulfilled
  }

  #register({ sequence, at, hash }: LedgerEntry, action: Register): void {
    const { kind: _, target: planDigest, ...rest } = action
    const registration = { ...rest, planDigest, sequence, at, hash }
    this.#registrations.push(registration)
    this.#changes.push({ registration, sequence })
    const ids = new Set(rest.runs.map(({ runId }) => runId))
    for (const id of ids) push(this.#naming, id, registration)
    push(this.#places, planDigest, { registration, ids, unnamed: rest.expected - ids.size })
  }

  #include({ sequence }: LedgerEntry, { target: runId, planDigest, receipt }: Include): void {
    this.#removed.delete(runId)
    if (this.#arrivals.has(runId)) return
    const { voucher = null, account } = receipt ?? {}
    const arrival = { runId, planDigest, sequence, voucher, account }
    this.#arrivals.set(runId, arrival)
    this.#match(arrival)
  }

  /**
   * Finds the registration that a run fulfils: of the same plan, by the same sender, and made before the run was
   * received. Named runs come first; a registration of a number only takes others in the order of receipt.
   */
  #match(arrival: Arrival): void {
    const { runId, planDigest } = arrival
    const own = (this.#places.get(planDigest) ?? []).filter(({ registration }) =>
      isSameSender(registration.sender, arrival),
    )
    const place = own.find(({ ids }) => ids.has(runId)) ?? own.find(({ unnamed }) => unnamed > 0)
    if (!place) return
    if (!place.ids.has(runId)) place.unnamed--
    this.#matched.set(runId, place.registration)
    this.#matches.push({ runId, registration: place.registration })
  }
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const known = lists.get(key)
  if (known) known.push(value)
  else lists.set(key, [value])
}

type Include = LedgerAction & { kind: 'include' }
type Place = { registration: Registration; ids: ReadonlySet<string>; unnamed: number }

import type { LedgerAction, LedgerEntry } from './ledger-entry.ts'
import { isSameSender } from './voucher.ts'

type Register = LedgerAction & { kind: 'register' }

/** A frozen plan that this server saw: `sequence` is its place in the ledger, `at` the server's time of receipt. */
export type Registration = Omit<Register, 'kind' | 'target'> & {
  planDigest: string
  sequence: number
  at: string
  /** Hash of the entry; episodes that started after it can carry it. */
  hash: string
}

/** How a run first came in; `voucher` null = the entry is from before senders were recorded. */
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
  /** By run id. */
  arrivals: ReadonlyMap<string, Arrival>
  /** Runs removed by an entry with a public reason, which do not have to be uploaded. */
  removed: ReadonlySet<string>
  /** The registration that each arrived run fulfils, by run id. */
  matched: ReadonlyMap<string, Registration>
  /** The same as a list to which later runs are added. */
  matches: readonly { runId: string; registration: Registration }[]
  /** The entries after which what is owed or received for a registration was different, in their order. */
  changes: readonly { registration: Registration; sequence: number }[]
  /** The last entry after which any of this was different, but for the arrival of a run that no one registered. */
  changedBy: number
}

/** Reads the registrations out of a whole ledger, in its order. Pure. */
export function readRegistrations(entries: readonly LedgerEntry[]): RegistrationBook {
  return new RegistrationReader().read(entries)
}

/**
 * Reads a ledger as it grows. The book that it answers stays the same object, to which runs are added, while nothing else
 * changes than that runs came in which no one registered.
 */
export class RegistrationReader {
  readonly #registrations: Registration[] = []
  readonly #arrivals = new Map<string, Arrival>()
  readonly #removed = new Set<string>()
  readonly #matched = new Map<string, Registration>()
  readonly #matches: { runId: string; registration: Registration }[] = []
  readonly #changes: { registration: Registration; sequence: number }[] = []
  /** Registrations that name a run, by its id. */
  readonly #naming = new Map<string, Registration[]>()
  /** By plan digest. */
  readonly #places = new Map<string, Place[]>()
  #book: RegistrationBook = this.#open(0)

  /** The book after these entries, which follow those that were read before. */
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

  /** True = after it any of the book is different, but for the arrival of a run that no one registered. */
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
    // Included again, a run may have been removed before.
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
   * The registration that a run fulfils: of the same plan, by the same sender, and made before the run came in. Runs that
   * are named come first; a registration of a bare number takes others in the order of their arrival.
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

import { canonicalJson } from '../digest/index.ts'
import type { Registration, RegistrationBook } from '../ledger/index.ts'
import type { Subject } from '../record/index.ts'
import type { RowSettings } from '../settings/index.ts'
import { plainName, plainSubject } from './skeleton.ts'

type Described = { suiteDigest: string; subject: Subject; settings: RowSettings }

/** Keys that find registrations: the sender and its account. */
export function ownerKeys({ voucher, account }: Owned): string[] {
  return [voucher, account].flatMap((key) => key ?? [])
}

export type Owned = { voucher: string | null; account?: string | undefined }

/**
 * Identity of an entry, which a seed, a limit or the number of retries cannot change. Names are compared without the
 * model's vendor, and names that look the same are equal.
 */
export function identityOf({ suiteDigest, subject, settings }: Described): string {
  return canonicalJson([suiteDigest, plainSubject(subject), settings.fault ?? null])
}

export function nameOf({ suiteDigest, subject }: Omit<Described, 'settings'>): string {
  return `${suiteDigest}\n${plainName(subject)}`
}

/** Counts the received runs of a registration, without removed ones. */
export function countReceived(one: Registration, book: RegistrationBook): number {
  const received = indexOf(book).runsOf.get(one) ?? []
  return received.filter((runId) => !book.removed.has(runId)).length
}

/** Counts the runs that a registration expects, without removed ones. */
export function countOwed({ runs, expected }: Registration, { removed }: RegistrationBook): number {
  return expected - runs.filter(({ runId }) => removed.has(runId)).length
}

/** The keys of a registered plan. */
type PlanKeys = { identities: string[]; name: string }

type Index = {
  /** Keys of the registrations that are not by digest alone. */
  keysOf: Map<Registration, PlanKeys>
  byPlan: Map<string, Registration[]>
  byIdentity: Map<string, Registration[]>
  byName: Map<string, Registration[]>
  /** Keyed by sender, and by account. */
  byOwner: Map<string, Registration[]>
  /** Received runs of each registration. */
  runsOf: Map<Registration, string[]>
  came: Set<Registration>
  /** Number of registrations and matches already indexed. */
  read: { registrations: number; matches: number }
}

/** All rows of a board share the same book, whose lists grow with the ledger. */
const indexes = new WeakMap<RegistrationBook['registrations'], Index>()
type RegisteredPlan = NonNullable<Registration['plan']>

/** Finds registrations by plan, identity, name and sender; grows with the book. */
export function indexOf({ registrations, matches }: RegistrationBook): Index {
  const index = indexes.get(registrations) ?? emptyIndex()
  indexes.set(registrations, index)
  const { keysOf, byPlan, byIdentity, byName, byOwner, runsOf, came, read } = index
  for (; read.registrations < registrations.length; read.registrations++) {
    const one = registrations[read.registrations] as Registration
    push(byPlan, one.planDigest, one)
    for (const key of ownerKeys(one.sender)) push(byOwner, key, one)
    if (!one.plan) continue
    const keys = describePlan(one.plan)
    const { identities, name } = keys
    keysOf.set(one, keys)
    for (const identity of identities) push(byIdentity, identity, one)
    push(byName, name, one)
  }
  for (const { runId, registration } of matches.slice(read.matches)) {
    push(runsOf, registration, runId)
    came.add(registration)
  }
  read.matches = matches.length
  return index
}

function emptyIndex(): Index {
  return {
    keysOf: new Map(),
    byPlan: new Map(),
    byIdentity: new Map(),
    byName: new Map(),
    byOwner: new Map(),
    runsOf: new Map(),
    came: new Set(),
    read: { registrations: 0, matches: 0 },
  }
}

function describePlan(plan: RegisteredPlan): PlanKeys {
  const { suiteDigest, entries = [plan] } = plan
  const identities = entries.map((entry) => identityOf({ suiteDigest, ...entry }))
  return { identities, name: nameOf(plan) }
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

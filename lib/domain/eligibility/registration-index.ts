import type { Registration, RegistrationBook } from '../ledger/index.ts'
import { canonicalJson, type RowSettings, type Subject } from '../record/index.ts'
import { plainName, plainSubject } from './skeleton.ts'

type Described = { suiteDigest: string; subject: Subject; settings: RowSettings }

/** The sender and its account, by which registrations are found. */
export function ownerKeys({ voucher, account }: Owned): string[] {
  return [voucher, account].flatMap((key) => key ?? [])
}

export type Owned = { voucher: string | null; account?: string | undefined }

/**
 * The parts that a seed, a limit or the number of retries cannot change. Names are compared by what they are: without
 * the model's vendor, and spellings that look the same are one.
 */
export function identityOf({ suiteDigest, subject, settings }: Described): string {
  return canonicalJson([suiteDigest, plainSubject(subject), settings.fault ?? null])
}

export function nameOf({ suiteDigest, subject }: Omit<Described, 'settings'>): string {
  return `${suiteDigest}\n${plainName(subject)}`
}

/** The runs that came in for a registration and were not removed. */
export function countReceived(one: Registration, book: RegistrationBook): number {
  const received = indexOf(book).runsOf.get(one) ?? []
  return received.filter((runId) => !book.removed.has(runId)).length
}

/** The runs that a registration expects, without removed ones. */
export function countOwed({ runs, expected }: Registration, { removed }: RegistrationBook): number {
  return expected - runs.filter(({ runId }) => removed.has(runId)).length
}

type Index = {
  byPlan: Map<string, Registration[]>
  byIdentity: Map<string, Registration[]>
  byName: Map<string, Registration[]>
  /** By sender, and by account. */
  byOwner: Map<string, Registration[]>
  /** The runs that came in for each. */
  runsOf: Map<Registration, string[]>
  came: Set<Registration>
  /** How many registrations and matches are in it. */
  read: { registrations: number; matches: number }
}

/** All rows of a board share the same book, whose lists grow with the ledger. */
const indexes = new WeakMap<RegistrationBook['registrations'], Index>()
/** A plan is registered once. */
const planNames = new WeakMap<RegisteredPlan, { identities: string[]; name: string }>()
type RegisteredPlan = NonNullable<Registration['plan']>

/** Finds registrations by plan, identity, name and sender; grows with the book. */
export function indexOf({ registrations, matches }: RegistrationBook): Index {
  const index = indexes.get(registrations) ?? emptyIndex()
  indexes.set(registrations, index)
  const { byPlan, byIdentity, byName, byOwner, runsOf, came, read } = index
  for (; read.registrations < registrations.length; read.registrations++) {
    const one = registrations[read.registrations] as Registration
    push(byPlan, one.planDigest, one)
    for (const key of ownerKeys(one.sender)) push(byOwner, key, one)
    if (!one.plan) continue
    const { identities, name } = describePlan(one.plan)
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
    byPlan: new Map(),
    byIdentity: new Map(),
    byName: new Map(),
    byOwner: new Map(),
    runsOf: new Map(),
    came: new Set(),
    read: { registrations: 0, matches: 0 },
  }
}

/** The keys of a registered plan. */
export function describePlan(plan: RegisteredPlan): { identities: string[]; name: string } {
  const known = planNames.get(plan)
  if (known) return known
  const { suiteDigest, entries = [plan] } = plan
  const identities = entries.map((entry) => identityOf({ suiteDigest, ...entry }))
  const found = { identities, name: nameOf(plan) }
  planNames.set(plan, found)
  return found
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

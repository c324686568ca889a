import {
  CLOCK_TOLERANCE_MS,
  isSameOwner,
  isSameSender,
  type Registration,
  type RegistrationBook,
} from '../ledger/index.ts'
import {
  canonicalJson,
  type EpisodeFact,
  isSameSetup,
  type RowSettings,
  type Subject,
} from '../record/index.ts'
import type { RowRegistration } from './eligibility.ts'
import { plainName, plainSubject } from './skeleton.ts'

/** When the first episode of a run under a plan started, and when the first of each registration ended. */
export type RunStart = Pick<EpisodeFact, 'runId' | 'planDigest' | 'startedAt'> & {
  ends?: readonly { at: number; registrations: readonly string[] }[]
}

type Row = {
  suiteDigest: string
  subject: Subject
  settings: RowSettings
  /** The runs of the row, each with its first episodes. */
  facts: readonly RunStart[]
}

/**
 * Compares one row with the ledger's registrations. A row owes all runs that its senders registered for the same
 * subject under the same settings, with any seed: a sender who registers twenty runs owes twenty.
 */
export function judgeRegistration(row: Row, book: RegistrationBook): RowRegistration {
  const { matched } = book
  const runIds = [...new Set(row.facts.map(({ runId }) => runId))].sort()
  const late = new Set(
    row.facts.flatMap((start) => {
      const registration = matched.get(start.runId)
      return registration && isLate(start, registration, book) ? start.runId : []
    }),
  )
  const unregistered = runIds.filter((runId) => !matched.has(runId))
  const owing = listOwing(row, runIds, book)
  const owed = owing.reduce((sum, one) => sum + countOwed(one, book), 0)
  const { runsOf } = indexOf(book)
  const received = owing
    .flatMap((one) => runsOf.get(one) ?? [])
    .filter((runId) => !book.removed.has(runId)).length
  const blind = countBlind(runIds, book)
  const unsent = countUnsent(row, owing, runIds, book)
  const counts = { runs: runIds.length, unregistered: unregistered.length, late: late.size }
  return {
    status: statusOf({ ...counts, owed, received, blind }),
    ...counts,
    owed,
    received,
    blind,
    abandoned: unsent.abandoned,
    ...(unsent.withdrawn > 0 && { withdrawn: unsent.withdrawn }),
  }
}

function statusOf(
  counts: Omit<RowRegistration, 'status' | 'abandoned' | 'withdrawn'>,
): RowRegistration['status'] {
  if (counts.unregistered > 0) return 'unregistered'
  if (counts.late > 0) return 'late'
  return counts.received < counts.owed || counts.blind > 0 ? 'incomplete' : 'registered'
}

/**
 * Returns true if a run began before its registration was received. Clocks differ, so an episode may seem to start a little before;
 * one that also ended before counts only if it names the registration, whose hash was not known any earlier.
 */
function isLate(
  { startedAt, planDigest, ends = [] }: RunStart,
  registration: Registration,
  book: RegistrationBook,
): boolean {
  const at = Date.parse(registration.at)
  if (Date.parse(startedAt) < at - CLOCK_TOLERANCE_MS) return true
  const early = ends.filter((end) => end.at < at)
  if (early.length === 0) return false
  const named = (indexOf(book).byPlan.get(planDigest) ?? [])
    .filter(({ sender }) => isSameSender(sender, registration.sender))
    .map(({ hash }) => hash)
  return early.some(({ registrations }) => !registrations.some((hash) => named.includes(hash)))
}

/** By what the registrations of a row are found; the same as long as the row's runs are and none of its plans changes. */
export type RegistrationKeys = {
  plans: ReadonlySet<string>
  identity: string
  name: string
  /** One of its plans was registered by its digest alone, so that any other registration may concern the row. */
  isBlind: boolean
}

export function registrationKeys(row: Row, book: RegistrationBook): RegistrationKeys {
  const { byPlan } = indexOf(book)
  const plans = new Set<string>(row.facts.map(({ planDigest }) => planDigest))
  const isBlind = [...plans].some((digest) => byPlan.get(digest)?.some(({ plan }) => plan === null))
  return { plans, identity: identityOf(row), name: nameOf(row), isBlind }
}

/** Whether an entry behind `asOf` can have changed what `judgeRegistration` says of the row with these keys. */
export function isConcerned(
  keys: RegistrationKeys,
  { changes, changedBy }: RegistrationBook,
  asOf: number,
): boolean {
  if (keys.isBlind) return changedBy > asOf
  for (let at = changes.length - 1; at >= 0; at--) {
    const { registration, sequence } = changes[at] as RegistrationBook['changes'][number]
    if (sequence <= asOf) return false
    if (isOf(registration, keys)) return true
  }
  return false
}

function isOf({ planDigest, plan }: Registration, keys: RegistrationKeys): boolean {
  if (keys.plans.has(planDigest)) return true
  if (plan === null) return false
  const { identities, name } = describePlan(plan)
  return name === keys.name || identities.includes(keys.identity)
}

/**
 * The registrations of the row's senders that belong to it: by one of its plans, or by subject and settings. Settings
 * that are near each other belong together, also over others in between, as they do in a row. Otherwise a sender who registers
 * plans a millisecond apart would owe none of the bad ones.
 */
function listOwing(row: Row, runIds: readonly string[], book: RegistrationBook): Registration[] {
  const { byPlan, byIdentity } = indexOf(book)
  const isOwn = ownRegistrations(runIds, book)
  const plans = new Set<string>(row.facts.map(({ planDigest }) => planDigest))
  const owing = new Set([...plans].flatMap((digest) => byPlan.get(digest) ?? []).filter(isOwn))
  const alike = byIdentity.get(identityOf(row)) ?? []
  const left = new Set(alike.filter((one) => isOwn(one) && !owing.has(one)))
  const near = [row.settings, ...[...owing].flatMap(({ plan }) => settingsOf(plan))]
  for (const settings of near)
    for (const one of left) {
      const own = settingsOf(one.plan)
      if (!own.some((planned) => isSameSetup(planned, settings))) continue
      left.delete(one)
      owing.add(one)
      near.push(...own)
    }
  return [...owing].sort((a, b) => a.sequence - b.sequence)
}

/** The settings under which a registered plan measures: those of each of its arms, or its own. */
function settingsOf(plan: Registration['plan']): RowSettings[] {
  if (plan === null) return []
  return plan.entries?.map(({ settings }) => settings) ?? [plan.settings]
}

/** Returns a test for registrations by the senders of these runs, or by their accounts. */
function ownRegistrations(runIds: readonly string[], book: RegistrationBook) {
  const arrivals = runIds.map((runId) => book.arrivals.get(runId) ?? { voucher: null })
  const keys = ({ voucher, account }: { voucher: string | null; account?: string | undefined }) =>
    account === undefined ? [voucher] : [voucher, account]
  const own = new Set(arrivals.flatMap(keys))
  return ({ sender }: Registration) => keys(sender).some((key) => own.has(key))
}

/**
 * The parts that a seed, a limit or the number of retries cannot change. Names are compared by what they are: without
 * the model's vendor, and spellings that look the same are one.
 */
function identityOf({ suiteDigest, subject, settings }: Omit<Row, 'facts'>): string {
  return canonicalJson([suiteDigest, plainSubject(subject), settings.fault ?? null])
}

/** Counts plans and runs without results among those that the row's senders registered for a subject of its name. */
function countUnsent(
  { suiteDigest, subject }: Row,
  owing: readonly Registration[],
  runIds: readonly string[],
  book: RegistrationBook,
): { abandoned: number; withdrawn: number } {
  const { byName, came } = indexOf(book)
  const isOwn = ownRegistrations(runIds, book)
  const named = (byName.get(nameOf({ suiteDigest, subject })) ?? []).filter(isOwn)
  const taken = new Set(owing)
  const isAbandoned = (one: Registration) => !came.has(one) && countOwed(one, book) > 0
  const runsOfAll = [...new Set([...owing, ...named])].flatMap(({ runs }) => runs)
  return {
    abandoned: named.filter((one) => !taken.has(one) && isAbandoned(one)).length,
    withdrawn: runsOfAll.filter(({ runId }) => book.removed.has(runId) && !book.arrivals.has(runId))
      .length,
  }
}

function nameOf({ suiteDigest, subject }: Pick<Row, 'suiteDigest' | 'subject'>): string {
  return `${suiteDigest}\n${plainName(subject)}`
}

function countOwed({ runs, expected }: Registration, { removed }: RegistrationBook): number {
  return expected - runs.filter(({ runId }) => removed.has(runId)).length
}

/**
 * A row that rests on a plan registered by digest alone could be the best of many such plans: those that the same sender
 * registered before this row came in have to come in too.
 */
function countBlind(runIds: readonly string[], book: RegistrationBook): number {
  const { matched } = book
  const { came } = indexOf(book)
  const others = runIds.flatMap((runId) => {
    const own = matched.get(runId)
    const arrival = book.arrivals.get(runId)
    if (!own || own.plan !== null || !arrival) return []
    return book.registrations.filter(
      (one) =>
        one.plan === null &&
        isSameOwner(one.sender, arrival) &&
        one.sequence < arrival.sequence &&
        !came.has(one) &&
        countOwed(one, book) > 0,
    )
  })
  return new Set(others).size
}

type Index = {
  byPlan: Map<string, Registration[]>
  byIdentity: Map<string, Registration[]>
  byName: Map<string, Registration[]>
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

function indexOf({ registrations, matches }: RegistrationBook): Index {
  const index = indexes.get(registrations) ?? emptyIndex()
  indexes.set(registrations, index)
  const { byPlan, byIdentity, byName, runsOf, came, read } = index
  for (; read.registrations < registrations.length; read.registrations++) {
    const one = registrations[read.registrations] as Registration
    push(byPlan, one.planDigest, one)
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
    ...{ byPlan: new Map(), byIdentity: new Map(), byName: new Map() },
    ...{ runsOf: new Map(), came: new Set(), read: { registrations: 0, matches: 0 } },
  }
}

function describePlan(plan: RegisteredPlan): { identities: string[]; name: string } {
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

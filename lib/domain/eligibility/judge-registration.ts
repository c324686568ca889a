import { CLOCK_TOLERANCE_MS, type Registration, type RegistrationBook } from '../ledger/index.ts'
import {
  canonicalJson,
  type EpisodeFact,
  isSameSetup,
  type RowSettings,
  type Subject,
} from '../record/index.ts'
import type { RowRegistration } from './eligibility.ts'
import { skeleton } from './skeleton.ts'

type Row = {
  suiteDigest: string
  subject: Subject
  settings: RowSettings
  /** Every episode of the row, counted or not. */
  facts: readonly Pick<EpisodeFact, 'runId' | 'planDigest' | 'startedAt'>[]
}

/**
 * Compares one row with the ledger's registrations. A row owes all runs that its senders registered for the same
 * subject under the same settings, with any seed: a sender who registers twenty runs owes twenty.
 */
export function judgeRegistration(row: Row, book: RegistrationBook): RowRegistration {
  const { matched } = book
  const runIds = [...new Set(row.facts.map(({ runId }) => runId))].sort()
  const late = runIds.filter((runId) => {
    const registration = matched.get(runId)
    return registration !== undefined && startedBefore(row.facts, runId, registration)
  })
  const unregistered = runIds.filter((runId) => !matched.has(runId))
  const owing = listOwing(row, runIds, book)
  const owed = owing.reduce((sum, one) => sum + countOwed(one, book), 0)
  const { runsOf } = indexOf(book)
  const received = owing
    .flatMap((one) => runsOf.get(one) ?? [])
    .filter((runId) => !book.removed.has(runId)).length
  const blind = countBlind(runIds, book)
  const abandoned = countAbandoned(row, owing, runIds, book)
  const counts = { runs: runIds.length, unregistered: unregistered.length, late: late.length }
  return {
    status: statusOf({ ...counts, owed, received, blind }),
    ...counts,
    owed,
    received,
    blind,
    abandoned,
  }
}

function statusOf(
  counts: Omit<RowRegistration, 'status' | 'abandoned'>,
): RowRegistration['status'] {
  if (counts.unregistered > 0) return 'unregistered'
  if (counts.late > 0) return 'late'
  return counts.received < counts.owed || counts.blind > 0 ? 'incomplete' : 'registered'
}

function startedBefore(facts: Row['facts'], runId: string, { at }: Registration): boolean {
  const earliest = Date.parse(at) - CLOCK_TOLERANCE_MS
  return facts.some((fact) => fact.runId === runId && Date.parse(fact.startedAt) < earliest)
}

/**
 * The registrations of the row's senders that belong to it: by one of its plans, or by subject and settings. Settings
 * that are near each other belong together, also over others in between, as they do in a row. Otherwise a sender who registers
 * plans a millisecond apart would owe none of the bad ones.
 */
function listOwing(row: Row, runIds: readonly string[], book: RegistrationBook): Registration[] {
  const vouchers = vouchersOf(runIds, book)
  const { byPlan, byIdentity } = indexOf(book)
  const isOwn = ({ sender }: Registration) => vouchers.has(sender.voucher)
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

function vouchersOf(runIds: readonly string[], book: RegistrationBook): Set<string | null> {
  return new Set(runIds.map((runId) => book.arrivals.get(runId)?.voucher ?? null))
}

/** What a seed, a limit or how often a void attempt is tried again cannot change. */
function identityOf({ suiteDigest, subject, settings }: Omit<Row, 'facts'>): string {
  return canonicalJson([suiteDigest, subject, settings.fault ?? null])
}

function countAbandoned(
  { suiteDigest, subject }: Row,
  owing: readonly Registration[],
  runIds: readonly string[],
  book: RegistrationBook,
): number {
  const vouchers = vouchersOf(runIds, book)
  const { byName, came } = indexOf(book)
  const taken = new Set(owing)
  return (byName.get(nameOf({ suiteDigest, subject })) ?? []).filter(
    (one) =>
      vouchers.has(one.sender.voucher) &&
      !came.has(one) &&
      !taken.has(one) &&
      countOwed(one, book) > 0,
  ).length
}

function nameOf({ suiteDigest, subject }: Pick<Row, 'suiteDigest' | 'subject'>): string {
  return [suiteDigest, skeleton(subject.name), skeleton(subject.modelRequested ?? '')].join('\n')
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
        one.sender.voucher === arrival.voucher &&
        one.sequence < arrival.sequence &&
        !came.has(one) &&
        countOwed(one, book) > 0,
    )
  })
  return new Set(others).size
}

type Index = {
  byPlan: ReadonlyMap<string, Registration[]>
  byIdentity: ReadonlyMap<string, Registration[]>
  byName: ReadonlyMap<string, Registration[]>
  /** The runs that came in for each. */
  runsOf: ReadonlyMap<Registration, string[]>
  came: ReadonlySet<Registration>
}

/** All rows of a board share the same book. */
const indexes = new WeakMap<RegistrationBook, Index>()
/** A plan is registered once, and the book is read again whenever the ledger grows. */
const planNames = new WeakMap<RegisteredPlan, { identities: string[]; name: string }>()
type RegisteredPlan = NonNullable<Registration['plan']>

function indexOf(book: RegistrationBook): Index {
  const index = indexes.get(book) ?? makeIndex(book)
  indexes.set(book, index)
  return index
}

function makeIndex({ registrations, matched }: RegistrationBook): Index {
  const byPlan = new Map<string, Registration[]>()
  const byIdentity = new Map<string, Registration[]>()
  const byName = new Map<string, Registration[]>()
  const runsOf = new Map<Registration, string[]>()
  for (const one of registrations) {
    push(byPlan, one.planDigest, one)
    if (!one.plan) continue
    const { identities, name } = describePlan(one.plan)
    for (const identity of identities) push(byIdentity, identity, one)
    push(byName, name, one)
  }
  for (const [runId, one] of matched) push(runsOf, one, runId)
  return { byPlan, byIdentity, byName, runsOf, came: new Set(matched.values()) }
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

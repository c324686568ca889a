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
  const late = new Set(
    row.facts.flatMap(({ runId, startedAt }) => {
      const registration = matched.get(runId)
      return registration && startedBefore(startedAt, registration) ? runId : []
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
  const abandoned = countAbandoned(row, owing, runIds, book)
  const counts = { runs: runIds.length, unregistered: unregistered.length, late: late.size }
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

function startedBefore(startedAt: string, { at }: Registration): boolean {
  return Date.parse(startedAt) < Date.parse(at) - CLOCK_TOLERANCE_MS
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

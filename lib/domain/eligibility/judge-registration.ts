import {
  CLOCK_TOLERANCE_MS,
  isSameOwner,
  isSameSender,
  type Registration,
  type RegistrationBook,
  THIS_SERVER,
} from '../ledger/index.ts'
import { type EpisodeFact, isSameSetup, type Subject } from '../record/index.ts'
import type { RowSettings } from '../settings/index.ts'
import type { RowRegistration } from './eligibility.ts'
import {
  countOwed,
  countReceived,
  identityOf,
  indexOf,
  nameOf,
  type Owned,
  ownerKeys,
} from './registration-index.ts'
import { skeleton } from './skeleton.ts'

/** When the first episode of a run under a plan started, and when the first of each registration ended. */
export type RunStart = Pick<EpisodeFact, 'runId' | 'planDigest' | 'startedAt'> & {
  ends?: readonly { at: number; registrations: readonly string[] }[]
}

type Row = {
  suiteDigest: string
  subject: Subject
  settings: RowSettings
  /** Runs of the row, each with its first episodes. */
  facts: readonly RunStart[]
}

/**
 * Compares one row with the ledger's registrations. A row needs all runs that its senders registered for the same
 * subject under the same settings, with any seed: a sender who registers twenty runs has to submit twenty.
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
  const received = owing.reduce((sum, one) => sum + countReceived(one, book), 0)
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
    ...(unsent.otherPlans > 0 && { otherPlans: unsent.otherPlans }),
    ...(unsent.withdrawn > 0 && { withdrawn: unsent.withdrawn }),
  }
}

function statusOf(
  counts: Omit<RowRegistration, 'status' | 'abandoned' | 'otherPlans' | 'withdrawn'>,
): RowRegistration['status'] {
  if (counts.unregistered > 0) return 'unregistered'
  if (counts.late > 0) return 'late'
  return counts.received < counts.owed || counts.blind > 0 ? 'incomplete' : 'registered'
}

/**
 * Returns true if a run began before its registration was received. Clocks differ, so an episode may seem to start a
 * little earlier; one that also ended earlier counts only if it names the registration, whose hash did not exist
 * before.
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

/** Keys that find a row's registrations; the same as long as the row's runs are and none of its plans changes. */
export type RegistrationKeys = {
  plans: ReadonlySet<string>
  identity: string
  name: string
  /** The row's senders and their accounts, other than this server. */
  owners: ReadonlySet<string>
  /** One of its plans was registered by its digest alone, so any other registration may concern the row. */
  isBlind: boolean
}

export function registrationKeys(row: Row, book: RegistrationBook): RegistrationKeys {
  const { byPlan } = indexOf(book)
  const plans = new Set<string>(row.facts.map(({ planDigest }) => planDigest))
  const isBlind = [...plans].some((digest) => byPlan.get(digest)?.some(({ plan }) => plan === null))
  const runIds = row.facts.map(({ runId }) => runId)
  const owners = new Set([...ownersOf(runIds, book)].filter((key) => key !== THIS_SERVER))
  return { plans, identity: identityOf(row), name: nameOf(row), owners, isBlind }
}

/** True if an entry after `asOf` may have changed the result of `judgeRegistration` for the row with these keys. */
export function isConcerned(keys: RegistrationKeys, book: RegistrationBook, asOf: number): boolean {
  const { changes, changedBy } = book
  if (keys.isBlind) return changedBy > asOf
  for (let at = changes.length - 1; at >= 0; at--) {
    const { registration, sequence } = changes[at] as RegistrationBook['changes'][number]
    if (sequence <= asOf) return false
    if (isOf(registration, keys, book)) return true
  }
  return false
}

function isOf(one: Registration, keys: RegistrationKeys, book: RegistrationBook): boolean {
  if (keys.plans.has(one.planDigest)) return true
  if (ownerKeys(one.sender).some((key) => keys.owners.has(key))) return true
  const own = indexOf(book).keysOf.get(one)
  return own !== undefined && (own.name === keys.name || own.identities.includes(keys.identity))
}

/**
 * Lists the registrations of the row's senders that belong to it: by one of its plans, or by subject and settings.
 * Similar settings belong together, also through others in between, as they do in a row. Otherwise a sender who
 * registers plans a millisecond apart could leave out the bad ones.
 */
function listOwing(row: Row, runIds: readonly string[], book: RegistrationBook): Registration[] {
  const { byPlan, byIdentity } = indexOf(book)
  const isOwn = ownRegistrations(runIds, book)
  const plans = new Set<string>(row.facts.map(({ planDigest }) => planDigest))
  const owing = new Set([...plans].flatMap((digest) => byPlan.get(digest) ?? []).filter(isOwn))
  const alike = byIdentity.get(identityOf(row)) ?? []
  const left = new Set(alike.filter((one) => isOwn(one) && !owing.has(one)))
  const near = [plainSettings(row.settings), ...[...owing].flatMap(({ plan }) => settingsOf(plan))]
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

/** Settings of a registered plan: those of each of its arms, or its own. */
function settingsOf(plan: Registration['plan']): RowSettings[] {
  if (plan === null) return []
  return (plan.entries ?? [plan]).map(({ settings }) => plainSettings(settings))
}

/** Instructions that look the same count as equal. */
function plainSettings(settings: RowSettings): RowSettings {
  const { customInstruction } = settings
  if (customInstruction === undefined) return settings
  return { ...settings, customInstruction: skeleton(customInstruction) }
}

/** Returns a test for registrations by the senders of these runs, or by their accounts. */
function ownRegistrations(runIds: readonly string[], book: RegistrationBook) {
  const own = ownersOf(runIds, book)
  return ({ sender }: Registration) => ownerKeys(sender).some((key) => own.has(key))
}

/** Returns the senders of these runs and their accounts. */
function ownersOf(runIds: readonly string[], { arrivals }: RegistrationBook): Set<string> {
  return new Set(runIds.flatMap((runId) => ownerKeys(arrivals.get(runId) ?? { voucher: null })))
}

/**
 * Counts missing results of other plans by the row's senders, and removed runs of its subject. Plans for other names
 * are shown on all of a sender's rows, because a sender chooses names freely.
 */
function countUnsent(
  { suiteDigest, subject }: Row,
  owing: readonly Registration[],
  runIds: readonly string[],
  book: RegistrationBook,
): { abandoned: number; otherPlans: number; withdrawn: number } {
  const { byName, byOwner } = indexOf(book)
  const isOwn = ownRegistrations(runIds, book)
  const named = (byName.get(nameOf({ suiteDigest, subject })) ?? []).filter(isOwn)
  const taken = new Set(owing)
  const lacking = (ones: readonly Registration[]) =>
    ones.filter((one) => !taken.has(one) && countReceived(one, book) < countOwed(one, book))
  const owners = [...ownersOf(runIds, book)].filter((key) => key !== THIS_SERVER)
  const sent = new Set(owners.flatMap((key) => byOwner.get(key) ?? []))
  for (const one of named) sent.delete(one)
  const others = [...sent].filter(({ plan }) => plan === null || plan.suiteDigest === suiteDigest)
  const isCounted = (one: Registration, runId: string) =>
    taken.has(one) && isSameVoucher(book.arrivals.get(runId), runIds, book)
  const runsOfAll = [...new Set([...owing, ...named])].flatMap((one) =>
    one.runs.flatMap(({ runId }) => (isCounted(one, runId) ? [] : runId)),
  )
  return {
    abandoned: lacking(named).length,
    otherPlans: lacking(others).length,
    withdrawn: new Set(runsOfAll.filter((runId) => book.removed.has(runId))).size,
  }
}

/**
 * Returns true if a run was received from exactly the row's sender, so that the row shows its removal as a correction.
 */
function isSameVoucher(
  arrival: Owned | undefined,
  runIds: readonly string[],
  { arrivals }: RegistrationBook,
): boolean {
  const own = arrivals.get(runIds[0] ?? '')
  return arrival !== undefined && arrival.voucher === own?.voucher
}

/**
 * A row whose plan was registered by digest alone could be the best of many such plans, so those that the same sender
 * registered before it was received must be submitted too.
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

import { canonicalJson, type Digest, digestJson } from '../digest/index.ts'
import { type RowSettings, SETTING_LIST } from '../settings/index.ts'
import type { EpisodeFact } from './episode-fact.ts'
import { groupBy } from './group-by.ts'
import { type Subject, subjectSchema } from './subject.ts'

/**
 * Identity of a row: subject, sender, plain or under faults, and the settings that change what a subject can do.
 * Excludes the seed and `maxAttempts`, which do not change an attempt, and limits that differ by a tenth or less:
 * otherwise one subject could have any number of rows, and show the best of them.
 */
export type RowIdentity = {
  suiteId: string
  suiteDigest: Digest
  subject: Subject
  /** Settings of the row's earliest episode. */
  settings: RowSettings
}

/** A row's episodes, grouped by identical settings. */
export type Variants = readonly (readonly EpisodeFact[])[]

/**
 * Groups episodes of one suite version by identity; neither the groups nor their ids depend on the order of the input.
 */
export function groupByIdentity(facts: readonly EpisodeFact[]): Variants[] {
  const variants = groupVariants(facts)
  const alike = groupBy(variants, ([first]) => exactKey(first as EpisodeFact))
  return [...alike.values()].flatMap(joinNearLimits)
}

/** Groups episodes by subject, settings, sender, and plain or under faults: each in its own row, or all in one. */
export function groupVariants(facts: readonly EpisodeFact[]): EpisodeFact[][] {
  return [...groupBy(facts, wholeKey, isSameVariant).values()]
}

/**
 * True if two flat records have the same members with the same primitive values, or lists of them; member order does
 * not matter.
 */
export function isSameRecord(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): boolean {
  if (a === b) return true
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => isSameValue(a[key], b[key]))
}

function isSameValue(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return Object.is(a, b)
  return a.length === b.length && a.every((value, index) => Object.is(value, b[index]))
}

/** True if both settings allow a subject the same, whatever fault either plans. */
export function isSameSetup(a: RowSettings, b: RowSettings): boolean {
  return exactSettings(a) === exactSettings(b) && areNear(a, b)
}

/**
 * Returns the row's id, and all ids that links, badges and corrections may use: one for each of its settings. Rows run
 * here keep the ids from before senders were distinguished.
 */
export function identifyRow(row: Variants): {
  rowId: string
  aliases: string[]
  identity: RowIdentity
} {
  const variants = row.map(firstStarted)
  const first = variants.reduce(earlier)
  const { suiteId, suiteDigest, subject, settings } = first
  const rowId = rowIdOf(first, first)
  const known = variants.flatMap((fact) => {
    // Before the ledger recorded senders, rows of all senders were identified by settings alone.
    const isOld = first.provenance !== 'local' && first.voucher === undefined
    return isOld ? [rowIdOf(fact, first), plainId(fact)] : [rowIdOf(fact, first)]
  })
  const aliases = [...new Set(known)].filter((id) => id !== rowId).sort()
  return { rowId, aliases, identity: { suiteId, suiteDigest, subject, settings } }
}

export function firstStarted(members: readonly EpisodeFact[]): EpisodeFact {
  return members.reduce((first, fact) => (fact.startedAt < first.startedAt ? fact : first))
}

/** Returns the sender of an episode's row: null = this server; before senders were recorded, only a level is known. */
export function senderOf({ provenance, voucher }: EpisodeFact): string | null {
  return provenance === 'local' ? null : (voucher ?? provenance)
}

/** Settings that share a row when they are near each other. */
export const NEAR_KEYS = keysOf('near')
// The planned fault is compared separately: settings under any fault let a subject do the same.
const EXACT_KEYS = keysOf('exact').filter((key) => key !== 'fault')
/** Two limits count as equal if the larger is at most this many times the smaller. */
export const NEAR_RATIO = 1.1
const SUBJECT_FIELDS = Object.keys(subjectSchema.shape) as (keyof Subject)[]
/** Included only for rows with an arm, so that keys of stored parts stay unchanged. */
const ARM_FIELDS: readonly (keyof Subject)[] = ['arm', 'armDigest']
const PART_FIELDS = SUBJECT_FIELDS.filter((field) => !ARM_FIELDS.includes(field))

function keysOf(rule: 'near' | 'exact') {
  return SETTING_LIST.filter(({ sameRow }) => sameRow === rule).map(({ key }) => key)
}

/** Facts read together share the objects of subject and settings. */
function isSameVariant(one: EpisodeFact, other: EpisodeFact): boolean {
  return (
    one.subject === other.subject &&
    one.settings === other.settings &&
    one.provenance === other.provenance &&
    one.voucher === other.voucher &&
    (one.fault === null) === (other.fault === null)
  )
}

/** Computed for every episode of a board, so it is a single pass. */
function wholeKey(fact: EpisodeFact): string {
  const { subject, settings, fault } = fact
  return JSON.stringify([
    SUBJECT_FIELDS.map((field) => subject[field]),
    SETTING_LIST.map(({ key }) => settings[key]),
    fault !== null,
    senderOf(fact),
  ])
}

function exactKey(fact: EpisodeFact): string {
  const subject = SUBJECT_FIELDS.map((field) => fact.subject[field])
  const isStress = fact.fault !== null
  const { fault } = fact.settings
  return JSON.stringify([subject, exactSettings(fact.settings), fault, isStress, senderOf(fact)])
}

/**
 * Key of a board part that contains whole rows: rows of one subject under settings that are equal except for limits and
 * sender. Derived from the envelope alone, so that episodes can be stored by it.
 */
export function rowPartOf(fact: Omit<EpisodeFact, 'provenance'>): string {
  const fields = fact.subject.arm === undefined ? PART_FIELDS : [...PART_FIELDS, ...ARM_FIELDS]
  const subject = fields.map((field) => fact.subject[field] ?? null)
  const settings = EXACT_KEYS.map((key) => fact.settings[key] ?? null)
  const digest = digestJson([subject, settings, fact.settings.fault ?? null, fact.fault !== null])
  return digest.slice('sha256:'.length, 'sha256:'.length + 24)
}

function exactSettings(settings: RowSettings): string {
  return JSON.stringify(EXACT_KEYS.map((key) => settings[key]))
}

function areNear(a: RowSettings, b: RowSettings): boolean {
  return NEAR_KEYS.every((key) => {
    const [one, other] = [a[key] ?? null, b[key] ?? null]
    if (one === null || other === null) return one === other
    return Math.max(Number(one), Number(other)) <= NEAR_RATIO * Math.min(Number(one), Number(other))
  })
}

/** Joins settings that are near each other, also through others in between. */
function joinNearLimits(variants: Variants): Variants[] {
  const left = new Set(variants)
  const groups: Variants[] = []
  for (const start of left) {
    left.delete(start)
    const joined = [start]
    for (const one of joined) joined.push(...takeNear(one, left))
    groups.push(joined)
  }
  return groups
}

function takeNear(
  one: readonly EpisodeFact[],
  left: Set<readonly EpisodeFact[]>,
): (readonly EpisodeFact[])[] {
  const near = [...left].filter((other) => areNear(settingsOf(one), settingsOf(other)))
  for (const other of near) left.delete(other)
  return near
}

const settingsOf = (facts: readonly EpisodeFact[]) => (facts[0] as EpisodeFact).settings

function earlier(a: EpisodeFact, b: EpisodeFact): EpisodeFact {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt ? a : b
  return canonicalJson(a.settings) <= canonicalJson(b.settings) ? a : b
}

function rowIdOf({ settings }: EpisodeFact, first: EpisodeFact): string {
  const { suiteDigest, subject, fault } = first
  const base = { suiteDigest, subject, settings, stress: fault !== null }
  const sender = senderOf(first)
  return nameRow(digestJson(sender === null ? base : { ...base, sender }))
}

function plainId({ suiteDigest, subject, settings, fault }: EpisodeFact): string {
  return nameRow(digestJson({ suiteDigest, subject, settings, stress: fault !== null }))
}

function nameRow(digest: Digest): string {
  return `row_${digest.slice('sha256:'.length, 'sha256:'.length + 24)}`
}

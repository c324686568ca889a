import {
  type CompetitorRow,
  decideEligibility,
  type Eligibility,
  type EligibilityContext,
  type Invalidation,
  type KnownPrograms,
  POLICY,
  type Policy,
  RELEASED_PROGRAMS,
  tightenPolicy,
} from '../eligibility/index.ts'
import { EMPTY_LEDGER } from '../ledger/index.ts'
import { type EpisodeFact, isSameSetup, subjectLabel } from '../record/index.ts'
import { kindsOf } from '../tasks/index.ts'
import type { EligibilityInput, PlannedRun } from './build-board-input.ts'
import { buildRowGroups, frozenPlans, type RowGroup } from './build-row-groups.ts'
import { findImitations } from './find-imitations.ts'

export type GroupDecision = { group: RowGroup; eligibility: Eligibility }

const NONE: ReadonlySet<string> = new Set()

/**
 * Applies the evidence rules to every row of a board. Rows that pass on their own are checked again against the other
 * passing rows, because void episodes could change a verdict between two of them.
 */
export function buildEligibility(
  input: EligibilityInput,
  groups: readonly RowGroup[] = buildRowGroups(input),
): GroupDecision[] {
  const shared = sharedContext(input)
  const imitations = findImitations(groups)
  const decide = (group: RowGroup, rivals: readonly CompetitorRow[]) => {
    const { planned, retried: retriedSlots, replacedVoids, registration } = group
    return decideEligibility(group.counted, {
      ...shared,
      planned,
      retriedSlots,
      replacedVoids,
      invalidations: findInvalidations(group, input.ledger),
      registration,
      passedWithoutFault: passedTasks(group, groups),
      imitation: imitations.get(group.rowId) ?? null,
      rivals,
    })
  }
  const alone = groups.map((group) => ({ group, eligibility: decide(group, []) }))
  const claims = alone.filter(({ eligibility }) => eligibility.eligible)
  return alone.map((decision) => {
    if (!decision.eligibility.eligible) return decision
    const rivals = claims.filter(({ group }) => group !== decision.group).map(asRival)
    return { group: decision.group, eligibility: decide(decision.group, rivals) }
  })
}

/** The policy that holds on this board. */
export function boardPolicy({
  policy = POLICY,
  suite,
}: Pick<EligibilityInput, 'policy' | 'suite'>): Policy {
  return tightenPolicy(policy, suite.thresholds ?? {})
}

/** The kinds of subjects that a suite measures, if its own kind is known. */
export function suiteKinds({ kind, subjectKinds }: EligibilityInput['suite']) {
  return kind && kindsOf({ kind, subjectKinds })
}

type SharedContext = Omit<
  EligibilityContext,
  | 'planned'
  | 'retriedSlots'
  | 'replacedVoids'
  | 'invalidations'
  | 'passedWithoutFault'
  | 'registration'
  | 'imitation'
  | 'rivals'
>

function sharedContext(input: EligibilityInput): SharedContext {
  const ledger = input.ledger ?? EMPTY_LEDGER
  return {
    policy: boardPolicy(input),
    claim: 'aggregate',
    suiteTasks: input.suite.tasks,
    plans: frozenPlans(input.runs),
    resolvedFindings: ledger.resolvedFindings,
    regradeDisagreements: input.regradeDisagreements ?? NONE,
    evaluations: input.evaluations ?? null,
    subjectKinds: suiteKinds(input.suite),
    copies: findCopies(input.facts, input.runs),
    knownPrograms: knownPrograms(input.facts),
  }
}

function findInvalidations(group: RowGroup, ledger = EMPTY_LEDGER): Invalidation[] {
  const targets = [
    group.rowId,
    ...group.aliases,
    ...new Set(group.counted.map((fact) => fact.runId)),
  ].sort()
  return targets.flatMap((target) => {
    const correction = ledger.invalidated.get(target)
    return correction ? [{ target, reason: correction.reason, at: correction.at }] : []
  })
}

function asRival({ group }: GroupDecision): CompetitorRow {
  return { label: subjectLabel(group.identity.subject), tallies: group.tallies }
}

/** Released programs, and those by which this server made its own episodes. */
function knownPrograms(facts: readonly EpisodeFact[]): KnownPrograms {
  const own = facts.filter(({ provenance }) => provenance === 'local')
  return {
    versions: new Set([
      ...RELEASED_PROGRAMS.versions,
      ...own.flatMap(({ origin }) => origin?.harness.version ?? []),
    ]),
    verifiers: new Set([
      ...RELEASED_PROGRAMS.verifiers,
      ...own.flatMap(({ grading }) => grading?.verifier?.digest ?? []),
    ]),
  }
}

/** The tasks that the same subject of the same sender solved without a planned fault, under the same settings. */
function passedTasks(
  { identity, sender, counted }: RowGroup,
  groups: readonly RowGroup[],
): ReadonlySet<string> {
  if (counted.every(({ fault }) => fault === null)) return NONE
  const key = subjectKey(identity)
  const baselines = groups.filter(
    (other) =>
      other.sender === sender &&
      subjectKey(other.identity) === key &&
      isSameSetup(other.identity.settings, identity.settings),
  )
  return new Set(
    baselines.flatMap((row) =>
      row.counted.flatMap(({ fault, status, taskId }) =>
        fault === null && status === 'solved' ? [taskId] : [],
      ),
    ),
  )
}

function subjectKey({ subject }: RowGroup['identity']): string {
  return JSON.stringify(Object.entries(subject).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Sharing the content of at least this many episodes, with another run or within one, is not a coincidence. */
const FEWEST = 2

/**
 * Episodes whose content was already stored under another run or repetition: by episode id, the id of the original run.
 * The first run is the original, whoever sent it; runs of this server come before uploaded ones. The order of the input
 * does not matter.
 */
function findCopies(
  facts: readonly EpisodeFact[],
  runs: readonly PlannedRun[],
): Map<string, string> {
  const order = new Map(runs.map((run) => [run.runId, run.order ?? Number.MAX_SAFE_INTEGER]))
  const sorted = [...facts].sort((a, b) => compare(rankOf(a, order), rankOf(b, order)))
  const first = new Map<string, EpisodeFact>()
  const found = new Map<string, { episodeId: string; from: string }[]>()
  for (const fact of sorted) {
    const from = findSource(fact, first)
    for (const mark of fact.origin?.marks ?? []) if (!first.has(mark)) first.set(mark, fact)
    if (from === undefined) continue
    const pair = `${fact.runId} ${from}`
    found.set(pair, [...(found.get(pair) ?? []), { episodeId: fact.episodeId, from }])
  }
  const copies = [...found.values()].filter((pair) => pair.length >= FEWEST).flat()
  return new Map(copies.map(({ episodeId, from }) => [episodeId, from]))
}

/**
 * The run with the same content before; undefined = none. Two attempts within one run may start at the same instant and
 * print the same, but not use the same tokens in the same tenths of a millisecond.
 */
function findSource(
  fact: EpisodeFact,
  first: ReadonlyMap<string, EpisodeFact>,
): string | undefined {
  const marks = fact.origin?.marks ?? []
  const before = marks.flatMap((mark) => {
    const one = first.get(mark)
    return one ? [{ mark, one }] : []
  })
  const elsewhere = before.find(({ one }) => one.runId !== fact.runId)
  const within = before.find(({ mark, one }) => {
    const isOther = one.repetition !== fact.repetition || one.attempt !== fact.attempt
    return one.runId === fact.runId && isOther && mark.startsWith('used:')
  })
  return (elsewhere ?? within)?.one.runId
}

function rankOf(fact: EpisodeFact, order: ReadonlyMap<string, number>) {
  const place = fact.provenance === 'local' ? 0 : 1
  return [place, order.get(fact.runId) ?? Number.MAX_SAFE_INTEGER, fact.runId, fact.episodeId]
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  if (at === -1) return 0
  return (a[at] as string | number) < (b[at] as string | number) ? -1 : 1
}

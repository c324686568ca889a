import {
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
import { EMPTY_LEDGER, type LedgerState } from '../ledger/index.ts'
import { type EpisodeFact, isPinnedLibrary } from '../record/index.ts'
import { kindsOf } from '../tasks/index.ts'
import type { EligibilityInput } from './build-board-input.ts'
import { runIdsOf } from './build-looks.ts'
import { buildRowGroups } from './build-row-groups.ts'
import type { StoppedRun } from './decide-stop.ts'
import { findImitations } from './find-imitations.ts'
import { applyStops, findStopped } from './find-stops.ts'
import { frozenPlans, type PlannedRun } from './planned-slots.ts'
import type { RowGroup } from './row-group.ts'
import { passedTasks, type RowTraits, traitsOf, unfinishedArms } from './row-traits.ts'
import { joinPrograms, programsOf } from './run-summary.ts'

export type GroupDecision = { group: RowGroup; eligibility: Eligibility }

/** Applies the evidence rules to every row of a board. */
export function buildEligibility(
  input: EligibilityInput,
  groups: readonly RowGroup[] = buildRowGroups(input),
): GroupDecision[] {
  const traits = groups.map(traitsOf)
  const around = readSurroundings(traits, [programsOf(ownOf(input.facts))])
  const copies = findCopies(input.facts, input.runs)
  return groups.map((bare, index) => {
    const { stopped, ...taken } = around(traits[index] as RowTraits)
    const group = applyStops(bare, stopped)
    return { group, eligibility: decideRow(input, group, { ...taken, copies }) }
  })
}

/** Only runs of this server prove the programs that they name. */
function ownOf(facts: readonly EpisodeFact[]): EpisodeFact[] {
  return facts.filter(({ provenance }) => provenance === 'local')
}

/** Facts from the other rows of the board that a row's decision depends on. */
type ContextFacts = Required<
  Pick<EligibilityContext, 'imitation' | 'knownPrograms' | 'passedWithoutFault' | 'unfinishedArms'>
>

/** Those facts with the runs of the row that stopped by their rule, which the other side decides as well. */
export type Surroundings = ContextFacts & { stopped: readonly StoppedRun[] }

/** Collects what each row needs from the others; `own` = the programs named by this server's own episodes. */
export function readSurroundings(
  rows: readonly RowTraits[],
  own: readonly KnownPrograms[],
): (row: RowTraits) => Surroundings {
  const imitations = findImitations(rows)
  const known = knownPrograms(own)
  return (row) => {
    const stopped = findStopped(row, rows)
    return {
      imitation: imitations.get(row.rowId) ?? null,
      knownPrograms: known,
      passedWithoutFault: passedTasks(row, rows),
      unfinishedArms: unfinishedArms(row, rows, stopped),
      stopped,
    }
  }
}

/** Decides a row's eligibility, given the facts from the other rows. */
export function decideRow(
  input: Omit<EligibilityInput, 'facts'>,
  group: RowGroup,
  around: ContextFacts & { copies: ReadonlyMap<string, string> },
): Eligibility {
  const ledger = input.ledger ?? EMPTY_LEDGER
  const { planned, missing, replacedVoids, registration, sender, unsent } = group
  const acceptedLibrary = findAcceptance(group, ledger)
  // A plan may have been frozen earlier for a run of another row.
  const kinds = group.kinds.map(({ fact }) => fact)
  const digests = new Set<string>(kinds.map(({ planDigest }) => planDigest))
  const plans = frozenPlans(input.runs.filter(({ plan }) => digests.has(plan.planDigest)))
  const context: EligibilityContext = {
    policy: boardPolicy(input),
    claim: 'aggregate',
    suiteTasks: input.suite.tasks,
    plans,
    resolvedFindings: ledger.resolvedFindings,
    regradeDisagreements: input.regradeDisagreements ?? NONE,
    evaluations: input.evaluations ?? null,
    subjectKinds: suiteKinds(input.suite),
    ...around,
    planned,
    missing,
    retriedSlots: group.retried,
    replacedVoids,
    unsent: sender === null ? [] : unsent,
    isLibraryAccepted: acceptedLibrary !== undefined,
    invalidations: findInvalidations(group, ledger),
    registration,
  }
  const decided = decideEligibility(group.counted, context, kinds)
  return acceptedLibrary === undefined ? decided : { ...decided, acceptedLibrary }
}

/** The review of a row's own library; undefined = none, or it has no such library. */
function findAcceptance({ rowId, aliases, identity }: RowGroup, ledger: LedgerState) {
  if (!isPinnedLibrary(identity.subject)) return undefined
  return [rowId, ...aliases].flatMap((id) => ledger.acceptedLibraries.get(id) ?? [])[0]
}

const NONE: ReadonlySet<string> = new Set()

/** The policy of this board. */
export function boardPolicy({
  policy = POLICY,
  suite,
}: Pick<EligibilityInput, 'policy' | 'suite'>): Policy {
  return tightenPolicy(policy, suite.thresholds ?? {})
}

/** The kinds of subjects that a suite measures, if its own kind is known. */
export function suiteKinds({ kind, subjectKinds }: EligibilityInput['suite']) {
  return kind === undefined ? undefined : kindsOf({ kind, subjectKinds })
}

function findInvalidations(group: RowGroup, ledger: LedgerState): Invalidation[] {
  const targets = [
    group.rowId,
    ...group.aliases,
    ...runIdsOf(group.kinds.map(({ fact }) => fact)),
  ].sort()
  return targets.flatMap((target) => {
    const correction = ledger.invalidated.get(target)
    return correction ? [{ target, reason: correction.reason, at: correction.at }] : []
  })
}

/** Released programs, and those named by this server's own episodes. */
function knownPrograms(own: readonly KnownPrograms[]): KnownPrograms {
  return joinPrograms([RELEASED_PROGRAMS, ...own])
}

/** Minimum number of episodes with shared content, with another run or within one, that is not a coincidence. */
const FEWEST = 2

/** Marks for finding copies. Episodes that share no mark with another need not be searched. */
export type MarkedFact = Pick<
  EpisodeFact,
  'episodeId' | 'runId' | 'repetition' | 'attempt' | 'provenance' | 'origin'
>

/**
 * Episodes whose content was already stored under another run or repetition: by episode id, the id of the original run.
 * The first run is the original, regardless of its sender; runs of this server come before uploaded ones. The order of the input
 * does not matter.
 */
export function findCopies(
  facts: readonly MarkedFact[],
  runs: readonly PlannedRun[],
): Map<string, string> {
  const order = new Map(runs.map((run) => [run.runId, run.order ?? Number.MAX_SAFE_INTEGER]))
  const sorted = [...facts].sort((a, b) => compare(rankOf(a, order), rankOf(b, order)))
  const first = new Map<string, MarkedFact>()
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
 * Returns the earlier run with the same content; undefined = none. Two attempts within one run may start at the same
 * instant and print the same, but not use the same tokens in the same tenths of a millisecond.
 */
function findSource(fact: MarkedFact, first: ReadonlyMap<string, MarkedFact>): string | undefined {
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

function rankOf(fact: MarkedFact, order: ReadonlyMap<string, number>) {
  const place = fact.provenance === 'local' ? 0 : 1
  return [place, order.get(fact.runId) ?? Number.MAX_SAFE_INTEGER, fact.runId, fact.episodeId]
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  if (at === -1) return 0
  return (a[at] as string | number) < (b[at] as string | number) ? -1 : 1
}

import type {
  EligibilityContext,
  FrozenPlan,
  PlannedSlot,
} from '../eligibility/eligibility-context.ts'
import { EMPTY_LEDGER } from '../ledger/apply-ledger.ts'
import { correctFacts } from '../ledger/correct-facts.ts'
import { isFrozen } from '../plan.ts'
import { tallyTasks } from '../statistics/tally-tasks.ts'
import type { RowTask } from './board-row.ts'
import type { GateInput, PlannedRun } from './build-board-input.ts'
import { buildCountedFacts } from './build-counted-facts.ts'
import { buildPlannedSlots } from './build-planned-slots.ts'
import type { EpisodeFact } from './episode-fact.ts'
import { fillHoles } from './fill-holes.ts'
import { judgeRegistration, type RowRegistration } from './judge-registration.ts'
import {
  groupByIdentity,
  identifyRow,
  type RowIdentity,
  senderOf,
  type Variants,
} from './row-identity.ts'

/** The episodes that make one row, with what was planned of them. */
export type RowGroup = {
  rowId: string
  /** Other ids under which the row is known: links, badges and corrections of earlier ids stay good. */
  aliases: string[]
  identity: RowIdentity
  /** Who answers for it; null = this server ran it. */
  sender: string | null
  counted: EpisodeFact[]
  retried: EpisodeFact[]
  /** Void attempts that count for nothing any more: their slots were tried again or topped up. */
  replacedVoids: EpisodeFact[]
  tallies: RowTask[]
  planned: PlannedSlot[]
  /** The executions that its episodes come from, as far as their plans are known. */
  runs: PlannedRun[]
  /** How its runs stand against the registered plans; null = nobody asks. */
  registration: RowRegistration | null
}

/**
 * Groups the episodes of the suite's newest digest into rows: one subject under one set of settings from one sender,
 * stress (a fault was planned) apart from plain. Other suite digests are left to the history.
 */
export function buildRowGroups({
  suite,
  facts,
  runs,
  ledger = EMPTY_LEDGER,
  registrations,
}: GateInput): RowGroup[] {
  const own = correctFacts(facts, ledger).filter(
    (fact) => fact.suiteId === suite.suiteId && fact.suiteDigest === suite.digest,
  )
  const rows = groupByIdentity(own).map((variants) => {
    const row = rowGroup(variants, runs)
    const { suiteDigest, subject, settings } = row.identity
    const asked = { suiteDigest, subject, settings, facts: variants.flat() }
    return { ...row, registration: registrations ? judgeRegistration(asked, registrations) : null }
  })
  return rows.sort((a, b) => (a.rowId < b.rowId ? -1 : 1))
}

/** By plan digest, without those that nobody froze; one that was frozen more than once counts from its first freezing. */
export function frozenPlans(runs: readonly PlannedRun[]): EligibilityContext['plans'] {
  const plans = new Map<string, FrozenPlan>()
  for (const { plan } of runs) {
    if (!isFrozen(plan)) continue
    const known = plans.get(plan.planDigest)
    if (!known || plan.frozenAt < known.frozenAt) plans.set(plan.planDigest, plan)
  }
  return plans
}

function rowGroup(variants: Variants, runs: readonly PlannedRun[]): Omit<RowGroup, 'registration'> {
  const members = variants.flat()
  const runIds = new Set(members.map((fact) => fact.runId))
  const own = runs.filter((run) => runIds.has(run.runId))
  const { retried, ...attempts } = buildCountedFacts(members)
  const { counted, planned } = fillHoles(attempts.counted, buildPlannedSlots(own), own)
  return {
    ...identifyRow(variants),
    sender: senderOf(members[0] as EpisodeFact),
    counted,
    retried,
    replacedVoids: listReplacedVoids(members, counted),
    tallies: tallyTasks(counted),
    planned,
    runs: own,
  }
}

/** A sender who calls failures cancelled gets no more tries than one who calls them void. */
function isLost(fact: EpisodeFact): boolean {
  return fact.status === 'void' || (fact.status === 'cancelled' && senderOf(fact) !== null)
}

/** A failure that was erased by another try would be laundered: what went void stays known. */
function listReplacedVoids(
  members: readonly EpisodeFact[],
  counted: readonly EpisodeFact[],
): EpisodeFact[] {
  const still = new Set(counted.map(({ episodeId }) => episodeId))
  const replaced = new Map(
    members
      .filter((fact) => isLost(fact) && !still.has(fact.episodeId))
      .map((fact) => [fact.episodeId, fact]),
  )
  return [...replaced.values()].sort((a, b) => (a.episodeId < b.episodeId ? -1 : 1))
}

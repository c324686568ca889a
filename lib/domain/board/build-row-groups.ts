import { type Digest, digestJson } from '../digest.ts'
import type {
  EligibilityContext,
  FrozenPlan,
  PlannedSlot,
} from '../eligibility/eligibility-context.ts'
import { EMPTY_LEDGER } from '../ledger/apply-ledger.ts'
import { correctFacts } from '../ledger/correct-facts.ts'
import { isFrozen, type ReportedSettings, settingsSchema } from '../plan.ts'
import { tallyTasks } from '../statistics/tally-tasks.ts'
import { type Subject, subjectSchema } from '../subject.ts'
import type { RowTask } from './board-row.ts'
import type { GateInput, PlannedRun } from './build-board-input.ts'
import { buildCountedFacts } from './build-counted-facts.ts'
import { buildPlannedSlots } from './build-planned-slots.ts'
import type { EpisodeFact } from './episode-fact.ts'
import { fillHoles } from './fill-holes.ts'
import { judgeRegistration, type RowRegistration } from './judge-registration.ts'

/** The episodes that make one row, with what was planned of them. */
export type RowGroup = {
  rowId: string
  identity: { suiteId: string; suiteDigest: Digest; subject: Subject; settings: ReportedSettings }
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
 * Groups the episodes of the suite's newest digest into rows: one subject identity under one set of settings, stress
 * (a fault was planned) apart from plain. Other suite digests are left to the history.
 */
export function buildRowGroups({
  suite,
  facts,
  runs,
  ledger = EMPTY_LEDGER,
  registrations,
}: GateInput): RowGroup[] {
  const groups = new Map<string, EpisodeFact[]>()
  for (const fact of correctFacts(facts, ledger)) {
    if (fact.suiteId !== suite.suiteId || fact.suiteDigest !== suite.digest) continue
    const key = identityKey(fact)
    const members = groups.get(key)
    if (members) members.push(fact)
    else groups.set(key, [fact])
  }
  const rows = [...groups.values()].map((members) => {
    const row = rowGroup(members, runs)
    const { suiteDigest, subject, settings } = row.identity
    const asked = { suiteDigest, subject, settings, facts: members }
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

const SUBJECT_FIELDS = Object.keys(subjectSchema.shape) as (keyof Subject)[]
const SETTINGS_FIELDS = Object.keys(settingsSchema.shape) as (keyof ReportedSettings)[]

function identityKey({ subject, settings, fault }: EpisodeFact): string {
  const subjectValues = SUBJECT_FIELDS.map((field) => subject[field])
  const settingsValues = SETTINGS_FIELDS.map((field) => settings[field])
  return JSON.stringify([subjectValues, settingsValues, fault !== null])
}

function rowGroup(
  members: readonly EpisodeFact[],
  runs: readonly PlannedRun[],
): Omit<RowGroup, 'registration'> {
  const { suiteId, suiteDigest, subject, settings, fault } = members[0] as EpisodeFact
  const identity = { suiteId, suiteDigest, subject, settings }
  const digest = digestJson({ suiteDigest, subject, settings, stress: fault !== null })
  const runIds = new Set(members.map((fact) => fact.runId))
  const own = runs.filter((run) => runIds.has(run.runId))
  const { retried, ...attempts } = buildCountedFacts(members)
  const { counted, planned } = fillHoles(attempts.counted, buildPlannedSlots(own), own)
  return {
    rowId: `row_${digest.slice('sha256:'.length, 'sha256:'.length + 24)}`,
    identity,
    counted,
    retried,
    replacedVoids: listReplacedVoids(members, counted),
    tallies: tallyTasks(counted),
    planned,
    runs: own,
  }
}

/** A failure that was erased by another try would be laundered: what went void stays known. */
function listReplacedVoids(
  members: readonly EpisodeFact[],
  counted: readonly EpisodeFact[],
): EpisodeFact[] {
  const still = new Set(counted.map(({ episodeId }) => episodeId))
  const replaced = new Map(
    members
      .filter(({ status, episodeId }) => status === 'void' && !still.has(episodeId))
      .map((fact) => [fact.episodeId, fact]),
  )
  return [...replaced.values()].sort((a, b) => (a.episodeId < b.episodeId ? -1 : 1))
}

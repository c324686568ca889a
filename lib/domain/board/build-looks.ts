import { type EpisodeFact, isScored, type Plan, type PlannedSlot } from '../record/index.ts'
import { CONFIDENCE, type Looks, lookPrice, PLANNED } from '../statistics/index.ts'
import { countOf, pluralForm } from '../text/index.ts'
import type { BoardRow } from './board-row.ts'
import { registeredLooks } from './find-stops.ts'
import { countPlannedSlots, type PlannedRun } from './planned-slots.ts'

/** Episodes and slots of a row; see `RowGroup`. */
type Members = {
  counted: readonly EpisodeFact[]
  planned: readonly PlannedSlot[]
  /** Planned slots that have not ended: missing or cancelled. Void ones have ended. */
  missing: readonly PlannedSlot[]
  runs: readonly PlannedRun[]
  /** Planned slots without an attempt that a top-up filled. */
  unsent: readonly PlannedSlot[]
  /** Runs that the ledger removed: their results were visible before. Absent = none. */
  removed?: readonly PlannedRun[]
  /** The row's arm in its plans; absent = they have no arms. */
  arm?: string | undefined
  /** Its frozen plans, by run. */
  plans: ReadonlyMap<string, Plan>
}

/**
 * Returns the possible interim analyses of a row; undefined = one finished plan, whose size was fixed before the first
 * episode. A top-up that only replaces void or cancelled episodes leaves the planned number unchanged. A second plan
 * that adds samples or runs what the first one never ran is a second analysis, and each planned episode of an
 * unfinished plan may be one. A plan that stops when decided registers its analyses.
 */
export function buildLooks(members: Members): BoardRow['looks'] {
  const stages = listStages(members)
  const pinned = stages[0]?.episodes ?? 0
  const isOnlyFilled =
    members.unsent.length === 0 &&
    stages.slice(1).every(({ isTopUp }) => isTopUp) &&
    countEpisodes(members) <= pinned
  const open = members.missing.length
  const registered = registeredLooks(members.plans)
  const looks = {
    ...(registered && { planned: registered }),
    stages: isOnlyFilled ? 1 : Math.max(1, stages.length),
    // The planned number is fixed in advance; the number of finished episodes depends on when it is counted.
    states: open === 0 ? 1 : Math.max(2, isOnlyFilled ? pinned : (stages.at(-1)?.episodes ?? 0)),
  }
  if (lookPrice(looks) === lookPrice(PLANNED)) return undefined
  return {
    kind: 'always-valid',
    ...looks,
    confidence: 1 - (1 - CONFIDENCE) / lookPrice(looks),
    pinnedEpisodes: pinned,
    reason: describeReason(looks, pinned, members),
  }
}

type Stage = { firstAt: string; key: string; isTopUp: boolean; episodes: number }

/**
 * Plans in the order in which they were frozen; shards of one plan are one stage, a repeated run of the same plan is
 * another.
 */
function listStages({ counted, runs, removed = [], arm }: Members): Stage[] {
  const stages = new Map<string, Stage & { runs: PlannedRun[] }>()
  const times = new Map<string, number>()
  const own = new Map([...removed, ...runs].map((run) => [run.runId, run]))
  for (const run of [...own.values()].sort((a, b) => (a.runId < b.runId ? -1 : 1))) {
    const { plan, shard } = run
    const part = `${plan.planDigest}/${shard ? `${shard.index}/${shard.count}` : ''}`
    const time = (times.get(part) ?? 0) + 1
    times.set(part, time)
    const key = `${plan.planDigest}/${time}`
    const known = stages.get(key)
    const stage = { key, firstAt: plan.frozenAt ?? '', isTopUp: Boolean(plan.topUpOf) }
    if (known) known.runs.push(run)
    else stages.set(key, { ...stage, episodes: 0, runs: [run] })
  }
  for (const stage of stages.values()) stage.episodes = countPlannedSlots(stage.runs, arm)

  const otherRuns = new Set(runIdsOf(counted).filter((runId) => !own.has(runId)))
  const unplanned = [...otherRuns].map((key) => {
    const facts = counted.filter(({ runId }) => runId === key)
    const firstAt = facts.map(({ startedAt }) => startedAt).sort()[0] ?? ''
    return { key, firstAt, isTopUp: false, episodes: facts.length }
  })
  return [...stages.values(), ...unplanned].sort((a, b) =>
    a.firstAt === b.firstAt ? (a.key < b.key ? -1 : 1) : a.firstAt < b.firstAt ? -1 : 1,
  )
}

function countEpisodes({ counted, planned }: Members): number {
  return Math.max(counted.length, planned.length)
}

/** The distinct runs of these episodes. */
export function runIdsOf(facts: readonly EpisodeFact[]): string[] {
  const runIds = new Set<string>()
  let last: string | undefined
  for (const { runId } of facts) {
    // Consecutive facts nearly always share a run.
    if (runId !== last) runIds.add(runId)
    last = runId
  }
  return [...runIds]
}

function describeReason(
  { stages, states, planned: registered }: Looks,
  pinned: number,
  { counted, planned, unsent, removed = [] }: Members,
): string {
  const scored = counted.filter(({ status }) => isScored(status)).length
  const parts = [
    registered
      ? `The plan registered ${countOf(registered.looks, 'look')}, at each of which it may stop.`
      : null,
    stages > 1
      ? `The first plan had ${countOf(pinned, 'episode')}; ${countOf(stages - 1, 'later plan')} added more after results were visible.`
      : null,
    unsent.length > 0
      ? `${countOf(unsent.length, 'planned episode')} never came in and ${pluralForm(unsent.length, 'was', 'were')} replaced later.`
      : null,
    states > 1
      ? `${scored} of ${countOf(planned.length, 'planned episode')} are finished, so the run could be stopped early depending on the results.`
      : null,
    removed.length > 0
      ? `${countOf(removed.length, 'run was', 'runs were')} removed from the ledger after ${pluralForm(removed.length, 'its', 'their')} results were visible.`
      : null,
  ]
  return parts.filter((part) => part !== null).join(' ')
}

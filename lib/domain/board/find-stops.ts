import {
  type EpisodeFact,
  isScored,
  type Plan,
  SlotMap,
  type StopSide,
  stopSideOf,
  stopSlots,
} from '../record/index.ts'
import { decideStop, type SideEnds, type StoppedRun } from './decide-stop.ts'
import type { RowGroup } from './row-group.ts'

/** One side of a run whose plan has a stopping rule, with all that the other side needs of it. */
export type RowStop = SideEnds & { runId: string; key: string; side: StopSide }

type Sided = { sender: string | null; stops: readonly RowStop[] }

/** The sides that a row has of runs with a stopping rule; shards and reported runs have none. */
export function listStops({ identity, counted, runs, plans }: RowGroup): RowStop[] {
  return runs.flatMap(({ runId, shard }) => {
    const plan = plans.get(runId)
    if (plan?.stop === undefined || (shard && shard.count > 1)) return []
    const side = stopSideOf(plan, identity.subject.arm)
    if (side === null) return []
    const key = stopKey(runId, plan)
    return [{ runId, key, side, plan, ...readEnds(plan, side, runId, counted) }]
  })
}

/** The looks that a plan's rule registered, named by what both sides share. */
export function registeredLooks(plans: ReadonlyMap<string, Plan>) {
  for (const { stop, planDigest } of plans.values())
    if (stop) return { looks: stop.looks.length, plan: stop.pair?.digest ?? planDigest }
  return undefined
}

function stopKey(runId: string, { stop }: Plan): string {
  return stop?.pair ? `pair ${stop.pair.digest}` : `run ${runId}`
}

function readEnds(
  plan: Plan,
  side: StopSide,
  runId: string,
  counted: readonly EpisodeFact[],
): Pick<RowStop, 'ends' | 'costMicroUsd'> {
  const facts = new SlotMap<EpisodeFact>()
  for (const fact of counted) if (fact.runId === runId) facts.set(fact, fact)
  let costMicroUsd: number | null = 0
  const ends = stopSlots(plan, side).map(({ taskId, repetition }) => {
    const fact = facts.get({ runId, taskId, repetition })
    if (fact === undefined || fact.status === 'cancelled') return '-'
    costMicroUsd =
      costMicroUsd === null || fact.costMicroUsd === null ? null : costMicroUsd + fact.costMicroUsd
    if (!isScored(fact.status)) return 'v'
    return fact.status === 'solved' ? '1' : '0'
  })
  return { ends: ends.join(''), costMicroUsd }
}

/**
 * The runs of a row that stopped by their rule, decided from the sealed episodes of both sides of one sender. A sender with
 * several runs of one side could choose among them, so then none has stopped.
 */
export function findStopped(row: Sided, rows: readonly Sided[]): StoppedRun[] {
  return row.stops.flatMap(({ runId, key, side }) => {
    const all = rows
      .filter(({ sender }) => sender === row.sender)
      .flatMap(({ stops }) => stops.filter((stop) => stop.key === key))
    const [a, anotherA] = all.filter((stop) => stop.side === 'a')
    const [b, anotherB] = all.filter((stop) => stop.side === 'b')
    if (!a || !b || anotherA || anotherB) return []
    const decision = decideStop({ a, b })
    return decision ? [{ runId, decision: { ...decision, side } }] : []
  })
}

/** The group without the slots that its stopped runs do not owe. */
export function applyStops(group: RowGroup, stopped: readonly StoppedRun[]): RowGroup {
  const left = new SlotMap<true>()
  for (const { runId, decision } of stopped) {
    const plan = group.plans.get(runId)
    const { after, side } = decision
    for (const slot of plan ? stopSlots(plan, side).slice(after / 2) : [])
      left.set({ runId, ...slot }, true)
  }
  if (stopped.length === 0) return group
  const planned = group.planned.filter((slot) => !left.has(slot))
  const missing = group.missing.filter((slot) => !left.has(slot))
  return { ...group, planned, missing, stopped }
}

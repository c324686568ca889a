import type { KnownPrograms, RunStart } from '../eligibility/index.ts'
import { type EpisodeFact, isSameSetup } from '../record/index.ts'
import type { StoppedRun } from './decide-stop.ts'
import { listStops, type RowStop } from './find-stops.ts'
import { armsOfRuns } from './planned-slots.ts'
import type { RowGroup } from './row-group.ts'
import { programsOf } from './run-summary.ts'

/** Facts about a row that other rows of the board need: small, and cached without the episodes. */
export type RowTraits = Pick<RowGroup, 'rowId' | 'identity' | 'sender' | 'account'> & {
  /** Place of its first run in the ledger. */
  order: number
  /** Received before definitions were recorded, or reported by another program. */
  isOld: boolean
  isStress: boolean
  /** Tasks that it solved without a planned fault. */
  solved: readonly string[]
  /** Its runs, each with the first start of an episode. */
  starts: readonly RunStart[]
  /** The programs named by its counted episodes. */
  programs: KnownPrograms
  /** The arms of each of its runs; empty for an entry without an arm. */
  arms: readonly RunArms[]
  /** True if every planned episode is present. */
  isWhole: boolean
  /** Its sides of runs whose plan stops when decided. */
  stops: readonly RowStop[]
}
export type RunArms = { runId: string; arms: readonly string[] }

export function traitsOf(group: RowGroup): RowTraits {
  const { rowId, identity, sender, account, missing, runs, starts } = group
  const counted = group.kinds.map(({ fact }) => fact)
  const orders = runs.map(({ order }) => order ?? Number.MAX_SAFE_INTEGER)
  return {
    rowId,
    identity,
    sender,
    account,
    starts,
    order: orders.reduce((min, order) => Math.min(min, order), Number.MAX_SAFE_INTEGER),
    isOld: counted.every(
      ({ receivedUnder, mode }) => receivedUnder === null || mode === 'reported',
    ),
    isStress: counted.some(({ fault }) => fault !== null),
    solved: listSolved(counted),
    programs: programsOf(counted),
    arms: identity.subject.arm === undefined ? [] : armsOfRuns(runs),
    isWhole: missing.length === 0,
    stops: listStops(group),
  }
}

function listSolved(counted: readonly EpisodeFact[]): string[] {
  const solved = counted.filter(({ fault, status }) => fault === null && status === 'solved')
  return [...new Set(solved.map(({ taskId }) => taskId))]
}

const NONE: ReadonlySet<string> = new Set()

/** Tasks that the same subject of the same sender solved without a planned fault, under the same settings. */
export function passedTasks(row: RowTraits, rows: readonly RowTraits[]): ReadonlySet<string> {
  if (!row.isStress) return NONE
  const key = subjectKey(row.identity)
  const baselines = rows.filter(
    (other) =>
      other.sender === row.sender &&
      subjectKey(other.identity) === key &&
      isSameSetup(other.identity.settings, row.identity.settings),
  )
  return new Set(baselines.flatMap(({ solved }) => solved))
}

/**
 * Lists other arms of a row's runs that lack planned episodes. Otherwise a sender could run eight arms and submit the
 * best one. Both arms of a run that stopped by its rule are whole.
 */
export function unfinishedArms(
  row: RowTraits,
  rows: readonly RowTraits[],
  stopped: readonly StoppedRun[],
): readonly string[] {
  if (row.arms.length === 0) return []
  const isStopped = (run: RunArms) => stopped.some(({ runId }) => runId === run.runId)
  const own = new Set(row.arms.map(({ runId }) => runId))
  const others = rows.filter((other) => other.sender === row.sender && other.arms.length > 0)
  const whole = new Set<string>()
  for (const { identity, arms, isWhole } of others)
    for (const { runId } of isWhole ? arms : [])
      if (own.has(runId)) whole.add(`${runId} ${identity.subject.arm}`)
  const { arm } = row.identity.subject
  const open = row.arms.filter((run) => !isStopped(run))
  const lacking = open.flatMap(({ runId, arms }) =>
    arms.filter((name) => name !== arm && !whole.has(`${runId} ${name}`)),
  )
  return [...new Set(lacking)].sort()
}

function subjectKey({ subject }: RowGroup['identity']): string {
  return JSON.stringify(Object.entries(subject).sort(([a], [b]) => (a < b ? -1 : 1)))
}

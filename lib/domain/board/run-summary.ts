import type { KnownPrograms, RunStart } from '../eligibility/index.ts'
import {
  type EpisodeFact,
  type EpisodeKind,
  firstStarted,
  groupBy,
  groupVariants,
  isScored,
  listKinds,
} from '../record/index.ts'
import { buildCountedFacts } from './counted-facts.ts'
import { type ModelSums, sumUsage } from './model-shares.ts'

/**
 * Times and amounts of the scored episodes of one task. The lists are in the order of run, task and repetition; a sum is
 * null unless all its values are known.
 */
export type TaskAmounts = {
  taskId: string
  solved: number
  subjectMs: (number | null)[]
  solvedMs: (number | null)[]
  solvedTokens: (number | null)[]
  tokens: number | null
  costMicroUsd: number | null
  solvedCostMicroUsd: number | null
  steps: number | null
}

type CountedSummary = {
  counted: readonly EpisodeFact[]
  /** Void and cancelled ones among them. */
  countedUnscored: readonly EpisodeFact[]
  usage: readonly ModelSums[]
  kinds: readonly EpisodeKind[]
  amounts: readonly TaskAmounts[]
}

/**
 * All that a row needs of the episodes of one run. A summary depends on them alone: it is kept beside them until one is
 * added, and a row is put together from the summaries of its runs.
 */
export type RunSummary = CountedSummary & {
  runId: string
  /** All its episodes, counted or not. */
  members: readonly EpisodeFact[]
  retried: readonly EpisodeFact[]
  /** Void and cancelled members. */
  unscored: readonly EpisodeFact[]
  /** The member that started first. */
  first: EpisodeFact
  /** The sender's account; null = not recorded. */
  account: string | null
  starts: readonly RunStart[]
  programs: KnownPrograms
}

/** Summarises episodes in any order, each run by itself; a run of several entries has several summaries. */
export function summariseRuns(facts: readonly EpisodeFact[]): RunSummary[] {
  const runs = groupBy(
    facts,
    ({ runId, suiteId, suiteDigest }) => JSON.stringify([runId, suiteId, suiteDigest]),
    (a, b) => a.runId === b.runId && a.suiteId === b.suiteId && a.suiteDigest === b.suiteDigest,
  )
  return [...runs.values()].flatMap(groupVariants).map(summariseRun)
}

/** Summarises the episodes of one run that belong to one row. */
export function summariseRun(members: readonly EpisodeFact[]): RunSummary {
  const { counted, retried } = buildCountedFacts(members)
  const first = firstStarted(members)
  return {
    ...summariseCounted(counted),
    runId: first.runId,
    members,
    retried,
    unscored: members.filter(({ status }) => !isScored(status)),
    first,
    account: members.find(({ account }) => account !== undefined)?.account ?? null,
    starts: listStarts(members),
    programs: programsOf(members),
  }
}

export function summariseCounted(counted: readonly EpisodeFact[]): CountedSummary {
  return {
    counted,
    countedUnscored: counted.filter(({ status }) => !isScored(status)),
    usage: sumUsage(counted),
    kinds: listKinds(counted),
    amounts: addAmounts(counted),
  }
}

function addAmounts(counted: readonly EpisodeFact[]): TaskAmounts[] {
  const tasks = new Map<string, TaskAmounts>()
  for (const { taskId, status, subjectMs, tokens, costMicroUsd, steps } of counted) {
    if (!isScored(status)) continue
    const task = tasks.get(taskId) ?? noAmounts(taskId)
    tasks.set(taskId, task)
    task.subjectMs.push(subjectMs)
    task.tokens = addKnown(task.tokens, tokens)
    task.costMicroUsd = addKnown(task.costMicroUsd, costMicroUsd)
    task.steps = addKnown(task.steps, steps)
    if (status !== 'solved') continue
    task.solved++
    task.solvedMs.push(subjectMs)
    task.solvedTokens.push(tokens)
    task.solvedCostMicroUsd = addKnown(task.solvedCostMicroUsd, costMicroUsd)
  }
  return [...tasks.values()]
}

/** Merges the amounts of runs, in their order. */
export function mergeAmounts(runs: readonly CountedSummary[]): TaskAmounts[] {
  const tasks = new Map<string, TaskAmounts>()
  for (const one of runs.flatMap(({ amounts }) => amounts)) {
    const task = tasks.get(one.taskId) ?? noAmounts(one.taskId)
    tasks.set(one.taskId, task)
    task.solved += one.solved
    task.tokens = addKnown(task.tokens, one.tokens)
    task.costMicroUsd = addKnown(task.costMicroUsd, one.costMicroUsd)
    task.solvedCostMicroUsd = addKnown(task.solvedCostMicroUsd, one.solvedCostMicroUsd)
    task.steps = addKnown(task.steps, one.steps)
    for (const list of ['subjectMs', 'solvedMs', 'solvedTokens'] as const)
      for (const value of one[list]) task[list].push(value)
  }
  return [...tasks.values()]
}

function noAmounts(taskId: string): TaskAmounts {
  const lists = { subjectMs: [], solvedMs: [], solvedTokens: [] }
  const sums = { solved: 0, tokens: 0, costMicroUsd: 0, solvedCostMicroUsd: 0, steps: 0 }
  return { taskId, ...lists, ...sums }
}

/** Null if either is unknown. */
function addKnown(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

/** Returns the first start of a run under each plan, and its earliest end for each list of registrations that episodes name. */
function listStarts(members: readonly EpisodeFact[]): RunStart[] {
  const runs = groupBy(
    members,
    ({ runId, planDigest }) => `${runId} ${planDigest}`,
    (a, b) => a.runId === b.runId && a.planDigest === b.planDigest,
  )
  return [...runs.values()].map((own) => {
    const { runId, planDigest, startedAt } = own[0] as EpisodeFact
    const first = { startedAt, at: Date.parse(startedAt) }
    const ends = new Map<string, NonNullable<RunStart['ends']>[number]>()
    for (const { startedAt, totalMs, registrations = [] } of own) {
      const at = Date.parse(startedAt)
      if (at < first.at) Object.assign(first, { startedAt, at })
      if (totalMs === null) continue
      const key = registrations.join()
      const end = { at: at + totalMs, registrations }
      if (end.at < (ends.get(key)?.at ?? Infinity)) ends.set(key, end)
    }
    return { runId, planDigest, startedAt: first.startedAt, ends: [...ends.values()] }
  })
}

/** Versions of the harness and digests of verifiers named by these episodes. */
export function programsOf(facts: readonly EpisodeFact[]): KnownPrograms {
  const versions = new Set<string>()
  const verifiers = new Set<string>()
  for (const { origin, grading } of facts) {
    if (origin) versions.add(origin.harness.version)
    if (grading?.verifier) verifiers.add(grading.verifier.digest)
  }
  return { versions, verifiers }
}

export function joinPrograms(all: readonly KnownPrograms[]): KnownPrograms {
  return {
    versions: new Set(all.flatMap(({ versions }) => [...versions])),
    verifiers: new Set(all.flatMap(({ verifiers }) => [...verifiers])),
  }
}

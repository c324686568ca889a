import { z } from 'zod'
import {
  type BrowserFact,
  canonicalJson,
  type EpisodeFact,
  type Grading,
  isScored,
  type Rung,
  rungSchema,
  verifierSchema,
} from '../record/index.ts'
import { sampleQuantile } from '../statistics/index.ts'

type BrowserMember = Pick<EpisodeFact, 'status' | 'verdict'> & { browser: BrowserFact }

/** A row's browser figures out of its counted episodes; undefined where no browser took part. */
export function buildBrowserMetrics(counted: readonly EpisodeFact[]): BrowserMetrics | undefined {
  const members = withBrowser(counted)
  if (members.length === 0) return undefined
  const all = members.map(({ browser }) => browser)
  const solved = members.filter(({ status }) => status === 'solved').map(({ browser }) => browser)
  return {
    episodes: members.length,
    connectMs: spreadOf(all.map(({ connectMs }) => connectMs)),
    harnessMs: medianOf(all.map(({ harnessMs }) => harnessMs)),
    resultTokensPerSolved: meanOf(solved.map(({ resultTokens }) => resultTokens)),
    resultBytesPerSolved: meanOf(solved.map(({ resultBytes }) => resultBytes)),
    peakPssBytes: medianOf(all.map(({ peakPssBytes }) => peakPssBytes)),
    libraryPeakPssBytes: medianOf(all.map(({ libraryPeakPssBytes }) => libraryPeakPssBytes)),
    falseSuccess: members.filter(isFalseSuccess).length,
    successWithError: members.filter(isSuccessWithError).length,
    rungs: countRungs(all),
    detectMs: detectionOf(all),
  }
}

/** What became of the faults in one task's episodes; undefined where nothing went wrong. */
export function buildTaskRecovery(facts: readonly EpisodeFact[]): TaskRecovery | undefined {
  const all = withBrowser(facts).map(({ browser }) => browser)
  if (!all.some(({ recovery }) => recovery !== null)) return undefined
  return { rungs: countRungs(all), detectMs: detectionOf(all).p50 }
}

function withBrowser(facts: readonly EpisodeFact[]): BrowserMember[] {
  return facts.flatMap(({ status, verdict, browser }) =>
    browser && isScored(status) ? [{ status, verdict, browser }] : [],
  )
}

/** An episode that ran out of its budget reported nothing, so it is none. */
function isFalseSuccess({ status, verdict, browser }: BrowserMember): boolean {
  return status === 'unsolved' && verdict === 'fail' && !browser.libraryError
}

function isSuccessWithError({ status, browser }: BrowserMember): boolean {
  return status === 'solved' && browser.libraryError
}

function countRungs(all: readonly BrowserFact[]): RungCounts {
  const counts = Object.fromEntries(rungSchema.options.map((rung) => [rung, 0])) as RungCounts
  for (const { recovery } of all) if (recovery) counts[recovery.rung satisfies Rung]++
  return counts
}

function detectionOf(all: readonly BrowserFact[]): BrowserMetrics['detectMs'] {
  const times = all.flatMap(({ recovery }) => recovery?.detectMs ?? [])
  return { ...spreadOf(times), episodes: times.length }
}

function spreadOf(values: readonly (number | null)[]): { p50: number | null; p95: number | null } {
  const known = values.filter((value) => value !== null)
  return { p50: sampleQuantile(known, 0.5), p95: sampleQuantile(known, 0.95) }
}

function medianOf(values: readonly (number | null)[]): number | null {
  return spreadOf(values).p50
}

/** Null unless every value is known: a mean over some would be a guess. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  if (values.length === 0 || known.length < values.length) return null
  return known.reduce((sum, value) => sum + value, 0) / known.length
}

type GradedMember = Pick<EpisodeFact, 'taskId' | 'status' | 'grading'>

/** Both results over counted episodes; undefined where nothing that is scored was graded by tests. */
export function buildGradingMetrics(counted: readonly GradedMember[]): GradingMetrics | undefined {
  const scored = counted.filter(({ status }) => isScored(status))
  const gradings = scored.flatMap(({ grading }) => grading ?? [])
  if (gradings.length === 0) return undefined
  const heldOutTasks = new Set(
    scored.flatMap(({ taskId, grading }) => ((grading?.heldOut ?? null) === null ? [] : taskId)),
  )
  return {
    scored: scored.length,
    visiblePassed: gradings.filter(({ visible }) => visible).length,
    heldOutScored: scored.filter(({ taskId }) => heldOutTasks.has(taskId)).length,
    heldOutPassed:
      heldOutTasks.size === 0 ? null : gradings.filter(({ heldOut }) => heldOut).length,
    tasks: new Set(scored.map(({ taskId }) => taskId)).size,
    heldOutTasks: heldOutTasks.size,
    verifiers: countVerifiers(gradings),
  }
}

const UNKNOWN = { sandbox: null, network: null, digest: null }

/** Each verifier once, in an order that does not depend on the episodes'. */
function countVerifiers(gradings: readonly Grading[]): GradingMetrics['verifiers'] {
  const counts = new Map<string, GradingMetrics['verifiers'][number]>()
  for (const { verifier } of gradings) {
    const key = canonicalJson(verifier)
    const known = counts.get(key)
    if (known) known.episodes++
    else counts.set(key, { ...(verifier ?? UNKNOWN), episodes: 1 })
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, verifier]) => verifier)
}

const count = z.number().int().nonnegative()
const known = z.number().nonnegative().nullable()
const spread = z.object({ p50: known, p95: known })

/** How often each rung of the ladder was the one after which the work went on. */
export const rungCountsSchema = z.record(rungSchema, count)
export type RungCounts = Record<Rung, number>

/** What a row says of its browser episodes beside success; all of it diagnostic. Null = not known, never 0. */
export const browserMetricsSchema = z.object({
  /** Scored episodes with a browser: what all these figures are counted over. */
  episodes: count,
  connectMs: spread,
  /** Time that is neither the library's nor the app's, median. */
  harnessMs: known,
  /** What the library gave back to whoever drives it: mean over the solved episodes, known of each. */
  resultTokensPerSolved: known,
  resultBytesPerSolved: known,
  /** Of the whole process tree and of the library's part: median of the episodes' peaks. */
  peakPssBytes: known,
  libraryPeakPssBytes: known,
  /** The library came to its end without an error, and the contract failed. */
  falseSuccess: count,
  /** The library's part ended with an error, and the contract passed. */
  successWithError: count,
  rungs: rungCountsSchema,
  /** From a fault's firing to the library's first error, over the episodes where one was seen. */
  detectMs: spread.extend({ episodes: count }),
})
export type BrowserMetrics = z.infer<typeof browserMetricsSchema>

/** A task's part of it, in a row that was measured under faults. */
export const taskRecoverySchema = z.object({ rungs: rungCountsSchema, detectMs: known })
type TaskRecovery = z.infer<typeof taskRecoverySchema>

const { sandbox, network, digest } = verifierSchema.shape

/** Both results of grading over the scored episodes of a row or a run; *solved* needs both. */
export const gradingMetricsSchema = z.object({
  /** Scored episodes. One whose solution was never graded, or with a finding of tampering, passed neither. */
  scored: count,
  visiblePassed: count,
  /** Scored episodes on tasks that have a held-out transcript. */
  heldOutScored: count,
  /** Null = no task has one: graded by visible tests only. */
  heldOutPassed: count.nullable(),
  /** Tasks with a scored episode, and those of them that have a held-out transcript. */
  tasks: count,
  heldOutTasks: count,
  /** Where solutions were graded and by which program; null = the envelopes are older than its record. */
  verifiers: z.array(
    z.object({
      sandbox: sandbox.nullable(),
      network: network.nullable(),
      digest: digest.nullable(),
      episodes: count,
    }),
  ),
})
export type GradingMetrics = z.infer<typeof gradingMetricsSchema>

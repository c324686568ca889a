import { canonicalJson } from '../digest/index.ts'
import {
  type BrowserFact,
  countEpisodes,
  type EpisodeFact,
  type EpisodeKind,
  type Grading,
  isScored,
  type Rung,
  rungSchema,
} from '../record/index.ts'
import { sampleQuantile } from '../statistics/index.ts'
import type { BrowserMetrics, GradingMetrics, RungCounts, TaskRecovery } from './row-measures.ts'

type BrowserMember = Pick<EpisodeFact, 'status' | 'verdict'> & { browser: BrowserFact }

/** Computes a row's browser metrics from its counted episodes; undefined without a browser. */
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

/** Counts the recoveries in one task's episodes; undefined if nothing failed. */
export function buildTaskRecovery(facts: readonly EpisodeFact[]): TaskRecovery | undefined {
  const all = withBrowser(facts).map(({ browser }) => browser)
  if (!all.some(({ recovery }) => recovery !== null)) return undefined
  return { rungs: countRungs(all), detectMs: detectionOf(all).p50 }
}

function withBrowser(facts: readonly EpisodeFact[]): BrowserMember[] {
  return facts.flatMap(({ status, verdict, browser }) =>
    browser && isScored(status) ? { status, verdict, browser } : [],
  )
}

/** An episode that exceeded its budget reported nothing and is not counted. */
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

/** Null unless all values are known: a mean over some of them would be biased. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  if (values.length === 0 || known.length < values.length) return null
  return known.reduce((sum, value) => sum + value, 0) / known.length
}

/** Counts both grading results over the counted episodes; undefined if no scored episode was graded by tests. */
export function buildGradingMetrics(kinds: readonly EpisodeKind[]): GradingMetrics | undefined {
  const scored = kinds.filter(({ fact }) => isScored(fact.status))
  const graded = scored.filter(({ fact }) => fact.grading)
  if (graded.length === 0) return undefined
  const heldOut = graded.filter(({ fact }) => (fact.grading?.heldOut ?? null) !== null)
  const heldOutTasks = new Set(heldOut.map(({ fact }) => fact.taskId))
  return {
    scored: countEpisodes(scored),
    visiblePassed: countEpisodes(graded.filter(({ fact }) => fact.grading?.visible)),
    heldOutScored: countEpisodes(scored.filter(({ fact }) => heldOutTasks.has(fact.taskId))),
    heldOutPassed:
      heldOutTasks.size === 0
        ? null
        : countEpisodes(graded.filter(({ fact }) => fact.grading?.heldOut)),
    tasks: new Set(scored.map(({ fact }) => fact.taskId)).size,
    heldOutTasks: heldOutTasks.size,
    verifiers: countVerifiers(graded),
  }
}

const UNKNOWN = { sandbox: null, network: null, digest: null }

/** Lists the distinct verifiers, in an order that does not depend on that of the episodes. */
function countVerifiers(graded: readonly EpisodeKind[]): GradingMetrics['verifiers'] {
  const counts = new Map<string, GradingMetrics['verifiers'][number]>()
  let [last, key]: [Grading['verifier'] | undefined, string] = [undefined, '']
  for (const { fact, episodes } of graded) {
    const verifier = fact.grading?.verifier ?? null
    if (verifier !== last) key = canonicalJson(verifier)
    last = verifier
    const known = counts.get(key)
    if (known) known.episodes += episodes
    else counts.set(key, { ...(verifier ?? UNKNOWN), episodes })
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, verifier]) => verifier)
}

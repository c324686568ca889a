import { canonicalJson } from '../digest/index.ts'
import {
  type BrowserFact,
  type EpisodeFact,
  type Grading,
  inParts,
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
  return browserInParts(facts).flat()
}

const browserInParts = inParts((facts: readonly EpisodeFact[]): BrowserMember[] =>
  facts.flatMap(({ status, verdict, browser }) =>
    browser && isScored(status) ? [{ status, verdict, browser }] : [],
  ),
)

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

type GradedMember = Pick<EpisodeFact, 'taskId' | 'status' | 'grading'>

/** Counts both grading results over the counted episodes; undefined if no scored episode was graded by tests. */
export function buildGradingMetrics(counted: readonly GradedMember[]): GradingMetrics | undefined {
  const parts = gradeParts(counted)
  const sum = (count: (part: (typeof parts)[number]) => number) =>
    parts.reduce((all, part) => all + count(part), 0)
  if (sum(({ gradings }) => gradings) === 0) return undefined
  const heldOutTasks = new Set(parts.flatMap((part) => part.heldOutTasks))
  const scoredOn = new Map<string, number>()
  for (const part of parts)
    for (const [taskId, count] of part.scoredOn)
      scoredOn.set(taskId, (scoredOn.get(taskId) ?? 0) + count)
  return {
    scored: sum(({ scored }) => scored),
    visiblePassed: sum(({ visible }) => visible),
    heldOutScored: [...heldOutTasks].reduce((all, taskId) => all + (scoredOn.get(taskId) ?? 0), 0),
    heldOutPassed: heldOutTasks.size === 0 ? null : sum(({ heldOut }) => heldOut),
    tasks: scoredOn.size,
    heldOutTasks: heldOutTasks.size,
    verifiers: joinVerifiers(parts.flatMap(({ verifiers }) => verifiers)),
  }
}

const gradeParts = inParts((counted: readonly GradedMember[]) => {
  const scored = counted.filter(({ status }) => isScored(status))
  const gradings = scored.flatMap(({ grading }) => grading ?? [])
  const scoredOn = new Map<string, number>()
  for (const { taskId } of scored) scoredOn.set(taskId, (scoredOn.get(taskId) ?? 0) + 1)
  const heldOut = scored.filter(({ grading }) => (grading?.heldOut ?? null) !== null)
  return {
    scored: scored.length,
    gradings: gradings.length,
    visible: gradings.filter((grading) => grading.visible).length,
    heldOut: gradings.filter((grading) => grading.heldOut).length,
    heldOutTasks: [...new Set(heldOut.map(({ taskId }) => taskId))],
    scoredOn,
    verifiers: countVerifiers(gradings),
  }
})

const UNKNOWN = { sandbox: null, network: null, digest: null }
type VerifierCount = [key: string, verifier: GradingMetrics['verifiers'][number]]

/** Merges the verifiers without duplicates, in an order that does not depend on that of the episodes. */
function joinVerifiers(all: readonly VerifierCount[]): GradingMetrics['verifiers'] {
  const counts = new Map<string, GradingMetrics['verifiers'][number]>()
  for (const [key, verifier] of all) {
    const episodes = (counts.get(key)?.episodes ?? 0) + verifier.episodes
    counts.set(key, { ...verifier, episodes })
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, verifier]) => verifier)
}

function countVerifiers(gradings: readonly Grading[]): VerifierCount[] {
  const counts = new Map<string, GradingMetrics['verifiers'][number]>()
  let [last, key]: [Grading['verifier'] | undefined, string] = [undefined, '']
  for (const { verifier } of gradings) {
    if (verifier !== last) key = canonicalJson(verifier)
    last = verifier
    const known = counts.get(key)
    if (known) known.episodes++
    else counts.set(key, { ...(verifier ?? UNKNOWN), episodes: 1 })
  }
  return [...counts]
}

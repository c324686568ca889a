import { type Rung, rungSchema } from '../browser/browser-record.ts'
import { isScored } from '../outcome.ts'
import { quantile } from '../statistics/quantile.ts'
import type { BrowserFact } from './browser-fact.ts'
import type { BrowserFigures, RungCounts, TaskRecovery } from './browser-figures.ts'
import type { EpisodeFact } from './episode-fact.ts'

type Member = Pick<EpisodeFact, 'status' | 'verdict'> & { browser: BrowserFact }

/** A row's browser figures out of its counted episodes; undefined where no browser took part. */
export function buildBrowserFigures(counted: readonly EpisodeFact[]): BrowserFigures | undefined {
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

function withBrowser(facts: readonly EpisodeFact[]): Member[] {
  return facts.flatMap(({ status, verdict, browser }) =>
    browser && isScored(status) ? [{ status, verdict, browser }] : [],
  )
}

/** An episode that ran out of its budget reported nothing, so it is none. */
function isFalseSuccess({ status, verdict, browser }: Member): boolean {
  return status === 'unsolved' && verdict === 'fail' && !browser.libraryError
}

function isSuccessWithError({ status, browser }: Member): boolean {
  return status === 'solved' && browser.libraryError
}

function countRungs(all: readonly BrowserFact[]): RungCounts {
  const counts = Object.fromEntries(rungSchema.options.map((rung) => [rung, 0])) as RungCounts
  for (const { recovery } of all) if (recovery) counts[recovery.rung satisfies Rung]++
  return counts
}

function detectionOf(all: readonly BrowserFact[]): BrowserFigures['detectMs'] {
  const times = all.flatMap(({ recovery }) => recovery?.detectMs ?? [])
  return { ...spreadOf(times), episodes: times.length }
}

function spreadOf(values: readonly (number | null)[]): { p50: number | null; p95: number | null } {
  const known = values.filter((value) => value !== null)
  return { p50: quantile(known, 0.5), p95: quantile(known, 0.95) }
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

import { z } from 'zod'
import { type Digest, digestJson } from '../digest/index.ts'
import { type AnyEpisode, type EvidenceFile, type Outcome, outcomeReason } from '../record/index.ts'
import { firstLine } from '../text/index.ts'
import {
  type Exported,
  exportedHarnessVersion,
  exportedStatusOf,
  type Pieces,
  readSlots,
} from './exported.ts'
import { UNSURE_VERSION } from './reported-facts.ts'
import type { ReportedAttempt, ReportedRun } from './reported-run.ts'

const ms = z.number().nonnegative()
const text = z.string().max(1_000_000)

const resultSchema = z.object({
  exercise: z.string().min(1).max(200),
  agentSuccess: z.boolean(),
  testSuccess: z.boolean(),
  overallSuccess: z.boolean(),
  agentError: text.nullish(),
  testError: text.nullish(),
  agentDuration: ms.nullish(),
  testDuration: ms.nullish(),
  totalDuration: ms.nullish(),
})

const named = z.string().max(200).nullish()

/** One saved run of ts-bench. Other members are stored with the record as well. */
export const tsBenchRunSchema = z
  .object({
    metadata: z.object({
      agent: z.string().min(1).max(80),
      model: named,
      provider: z.string().max(100).nullish(),
      version: z.string().max(100).nullish(),
      timestamp: z.iso.datetime({ offset: true }),
      benchmarkVersion: z.string().max(100).nullish(),
      runUrl: z.string().max(500).nullish(),
    }),
    summary: z.object({ totalCount: z.number(), successCount: z.number() }).partial().nullish(),
    results: z.array(resultSchema).min(1, 'the run has no results, only totals').max(10_000),
  })
  .superRefine(({ summary, results }, context) => {
    const solved = results.filter(({ overallSuccess }) => overallSuccess).length
    const counts = { totalCount: results.length, successCount: solved }
    for (const [name, count] of Object.entries(counts)) {
      const stated = summary?.[name as keyof typeof counts]
      if (stated === undefined || stated === count) continue
      const message = `it says ${stated}, and the results give ${count}`
      context.addIssue({ code: 'custom', path: ['summary', name], message })
    }
    results.forEach(({ agentSuccess, testSuccess, overallSuccess }, index) => {
      if (overallSuccess === (agentSuccess && testSuccess)) return
      const path = ['results', index, 'overallSuccess']
      const message = 'it is not agentSuccess and testSuccess together'
      context.addIssue({ code: 'custom', path, message })
    })
  })
type TsBenchRun = z.infer<typeof tsBenchRunSchema>

/** Returns the evidence of one result, given its index in the run. */
type TsBenchEvidence = (place: number) => readonly EvidenceFile[]

const UNREPORTED = [
  'tokens',
  'cost',
  'steps',
  'model that answered',
  'settings and budgets',
  'environment',
  'tests that ran',
  'when each attempt started',
]

/**
 * Converts a saved run. `record` is the run's complete record, which its digest covers; the copy on a page has the
 * page's benchmark version, not its own.
 */
export function fromTsBench(
  run: TsBenchRun,
  record: unknown,
  { evidenceOf, isCopy }: { evidenceOf: TsBenchEvidence; isCopy: boolean },
): ReportedRun {
  const { agent, provider, timestamp, benchmarkVersion, runUrl } = run.metadata
  const model = textOrNull(run.metadata.model)
  const at = new Date(timestamp).toISOString()
  const version = textOrNull(benchmarkVersion)
  const recordDigest = digestJson(record)
  const seen = new Map<string, number>()
  return {
    format: 'ts-bench',
    formatVersion: null,
    harness: { name: 'ts-bench', version, commit: null, dirty: null },
    url: textOrNull(runUrl),
    untold: isCopy ? [...UNREPORTED, UNSURE_VERSION] : UNREPORTED,
    identity: [agent, model, textOrNull(provider), at],
    dataset: { name: nameDataset(run), version },
    subject: {
      name: agent,
      version: textOrNull(run.metadata.version),
      provider: textOrNull(provider),
      model,
    },
    settings: {},
    startedAt: at,
    endedAt: at,
    attempts: run.results.map((result, place) => {
      const repetition = (seen.get(result.exercise) ?? 0) + 1
      seen.set(result.exercise, repetition)
      const evidence = evidenceOf(place)
      return { ...toAttempt(result, recordDigest), repetition, evidence }
    }),
  }
}

/** ts-bench writes `unknown` for a missing value. */
function textOrNull(value: string | null | undefined): string | null {
  return !value || value === 'unknown' ? null : value
}

/** Task names of the second set are SWE-Lancer numbers; those of the first set are exercises. */
function nameDataset({ results }: TsBenchRun): string {
  const isSecond = results.every(({ exercise }) => /^\d+(_\d+)*$/.test(exercise))
  return isSecond ? 'ts-bench v2' : 'ts-bench v1'
}

type TsBenchResult = TsBenchRun['results'][number]

function toAttempt(
  result: TsBenchResult,
  recordDigest: Digest,
): Omit<ReportedAttempt, 'repetition' | 'evidence'> {
  const { exercise, agentSuccess, testSuccess, overallSuccess } = result
  return {
    task: { name: exercise, checksum: null, category: null },
    outcome: outcomeOf(result),
    failureCategory: overallSuccess ? null : agentSuccess ? 'test-failure' : 'crash',
    agentSuccess,
    testSuccess,
    overallSuccess,
    times: null,
    wall: {
      subjectMs: result.agentDuration ?? null,
      verifyMs: result.testDuration ?? null,
      totalMs: result.totalDuration ?? null,
    },
    steps: null,
    toolCalls: null,
    retries: null,
    usage: null,
    modelObserved: [],
    exitCode: null,
    recordName: exercise,
    recordDigest,
    score: null,
  }
}

function outcomeOf({ agentSuccess, overallSuccess, agentError }: TsBenchResult): Outcome {
  if (overallSuccess) return { status: 'solved' }
  if (agentSuccess) return { status: 'unsolved', reason: 'ts-bench says that the tests failed.' }
  const reason = firstLine(agentError) ?? 'ts-bench says that the agent did not succeed.'
  return { status: 'subject-crashed', exitCode: null, signal: null, reason }
}

/** Returns why a run cannot be expressed in the ts-bench format; null = it can. */
export function refuseTsBench(episode: AnyEpisode): string | null {
  const { agentSuccess, testSuccess, overallSuccess } = episode
  if ([agentSuccess, testSuccess, overallSuccess].every((flag) => flag !== null)) return null
  return 'the ts-bench format requires whether the agent and the tests succeeded for every attempt, which was not reported for this run'
}

/**
 * Writes a run in the ts-bench format. The format has no void attempts, so those are left out and counted separately; a
 * repetition is the same exercise again. Totals precede the results, which are small and held in memory.
 */
export async function* writeTsBench(exported: Exported): Pieces {
  const titles = new Map(
    exported.runs.flatMap(({ plan }) =>
      plan.schemaVersion === 2
        ? plan.tasks.map(({ taskId, title }) => [taskId, title] as const)
        : [],
    ),
  )
  const results: TsBenchResult[] = []
  let left = 0
  let version = exportedHarnessVersion(exported)
  for await (const { last } of readSlots(exported)) {
    version = exportedHarnessVersion(exported, last)
    const ending = exportedStatusOf(last.outcome.status)
    if (ending === 'error' || ending === 'skipped') left++
    else results.push(toResult(last, titles.get(last.taskId) ?? last.taskId))
  }
  const { subject, startedAt } = exported
  const metadata = {
    agent: subject.name,
    ...(subject.modelRequested ? { model: subject.modelRequested } : {}),
    provider: subject.provider ?? 'unknown',
    version: subject.version ?? 'unknown',
    timestamp: startedAt,
    exerciseCount: results.length,
    ...(version ? { benchmarkVersion: version } : {}),
    generatedBy: 'proofboard',
    proofboard: {
      runs: exported.runs.map(({ runId }) => runId),
      suite: exported.suiteId,
      leftOut: left,
    },
  }
  yield `${JSON.stringify({ metadata, summary: summarize(results), results }, null, 2)}\n`
}

function toResult(episode: AnyEpisode, exercise: string): TsBenchResult {
  const { agentSuccess, testSuccess, overallSuccess, outcome } = episode
  const { subjectMs, verifyMs, totalMs } = episode.effort.wall
  const reason = outcomeReason(outcome)
  return {
    exercise,
    // Checked before: known for each episode here.
    agentSuccess: agentSuccess === true,
    testSuccess: testSuccess === true,
    overallSuccess: overallSuccess === true,
    ...(agentSuccess ? {} : { agentError: reason }),
    ...(testSuccess || !agentSuccess ? {} : { testError: reason }),
    ...(subjectMs === null ? {} : { agentDuration: subjectMs }),
    ...(verifyMs === null ? {} : { testDuration: verifyMs }),
    ...(totalMs === null ? {} : { totalDuration: totalMs }),
  }
}

function summarize(results: readonly TsBenchResult[]) {
  const count = (matches: (result: TsBenchResult) => boolean) => results.filter(matches).length
  const solved = count(({ overallSuccess }) => overallSuccess)
  const durations = results.flatMap(({ totalDuration }) => totalDuration ?? [])
  const total = durations.reduce((sum, ms) => sum + ms, 0)
  const isTimed = results.length > 0 && durations.length === results.length
  return {
    ...(results.length > 0 ? { successRate: round((100 * solved) / results.length) } : {}),
    ...(isTimed ? { totalDuration: total, avgDuration: round(total / results.length) } : {}),
    successCount: solved,
    totalCount: results.length,
    agentSuccessCount: count(({ agentSuccess }) => agentSuccess),
    testSuccessCount: count(({ testSuccess }) => testSuccess),
    testFailedCount: count(({ testSuccess }) => !testSuccess),
  }
}

/** Rounds to one decimal, as ts-bench does. */
function round(value: number): number {
  return Math.round(10 * value) / 10
}

import type { Episode } from '../episode.ts'
import { outcomeReason } from '../outcome.ts'
import { type Exported, endingOf, harnessVersion, type Pieces, readSlots } from './exported.ts'

type Result = {
  exercise: string
  agentSuccess: boolean
  testSuccess: boolean
  overallSuccess: boolean
  agentError?: string
  testError?: string
  agentDuration?: number
  testDuration?: number
  totalDuration?: number
}

/** Why a run cannot be said in the words of ts-bench; null = it can. */
export function refuseTsBench(episode: Episode): string | null {
  const { agentSuccess, testSuccess, overallSuccess } = episode
  if ([agentSuccess, testSuccess, overallSuccess].every((flag) => flag !== null)) return null
  return 'the ts-bench format requires whether the agent and the tests succeeded for every attempt, which was not reported for this run'
}

/**
 * A run as ts-bench saves one. It knows no void attempt, so those are left out and counted beside; a repetition is the
 * same exercise again. Its results are small, so they are held until the totals are known, which stand before them.
 */
export async function* writeTsBench(exported: Exported): Pieces {
  const titles = new Map(
    exported.runs.flatMap(({ plan }) =>
      plan.schemaVersion === 2
        ? plan.tasks.map(({ taskId, title }) => [taskId, title] as const)
        : [],
    ),
  )
  const results: Result[] = []
  let left = 0
  let version = harnessVersion(exported)
  for await (const { last } of readSlots(exported)) {
    version = harnessVersion(exported, last)
    const ending = endingOf(last.outcome.status)
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

function toResult(episode: Episode, exercise: string): Result {
  const { agentSuccess, testSuccess, overallSuccess, outcome } = episode
  const { subjectMs, verifyMs, totalMs } = episode.effort.wall
  const reason = outcomeReason(outcome)
  return {
    exercise,
    // Asked before: each is known here.
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

function summarize(results: readonly Result[]) {
  const count = (holds: (result: Result) => boolean) => results.filter(holds).length
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

/** As ts-bench does: one decimal. */
function round(value: number): number {
  return Math.round(10 * value) / 10
}

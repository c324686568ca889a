import { type BoardRow, type RowTask, successRate } from '#lib/domain/board/index.ts'
import type { ComparedSuite, ComparisonInput } from '#lib/domain/compare/comparison.ts'
import { digestJson } from '#lib/domain/digest/index.ts'
import { SAMPLE_AGENT, SAMPLE_SETTINGS } from './sample-run.ts'

/** A version of the sample suite: task id → placeholder for the task's content. */
export function sampleVersion(version: string, tasks: Record<string, string>): ComparedSuite {
  return {
    suiteId: 'sample',
    title: 'Sample',
    version,
    protocolVersion: 1,
    digest: digestJson(tasks),
    tasks: Object.entries(tasks).map(([taskId, content]) => ({
      taskId,
      title: `Task ${taskId}`,
      digest: digestJson(content),
    })),
  }
}

/** A ranked row on that version with these counts, for tests to change in one place. */
export function sampleRow(
  name: string,
  suite: ComparedSuite,
  tasks: readonly RowTask[],
  changes: Partial<BoardRow> = {},
): BoardRow {
  const scored = tasks.length > 0 ? tasks.map((task) => task.scored) : [0]
  return {
    rowId: `row_${name}`,
    suiteId: suite.suiteId,
    suiteDigest: suite.digest as BoardRow['suiteDigest'],
    subject: { ...SAMPLE_AGENT, name },
    settings: SAMPLE_SETTINGS,
    modes: ['live'],
    label: 'primary',
    refusals: [],
    driven: 'llm',
    rank: null,
    success: successRate(tasks),
    repetitions: { least: Math.min(...scored), most: Math.max(...scored) },
    plannedEpisodes: 1,
    solvedMs: { p50: null, p95: null },
    costPerSuccessMicroUsd: null,
    tokensPerSuccess: null,
    raw: {
      subjectMs: { p50: null, p95: null },
      tokensPerEpisode: null,
      costPerEpisodeMicroUsd: null,
      stepsPerEpisode: null,
    },
    recovery: null,
    provenance: 'local',
    tasks: [...tasks],
    runIds: [`run_${name}`],
    firstStartedAt: '2026-11-01T01:00:00.000Z',
    lastStartedAt: '2026-11-01T02:00:00.000Z',
    ...changes,
  }
}

/** The same counts on tasks t00, t01, …: `solved[i]` of `scored`. */
export function sampleTasks(solved: readonly number[], scored = 3): RowTask[] {
  return solved.map((count, task) => ({
    taskId: `t${String(task).padStart(2, '0')}`,
    solved: count,
    scored,
    voids: 0,
  }))
}

/** A version with tasks t00, t01, …. */
export function numberedVersion(tasks: number): ComparedSuite {
  const ids = sampleTasks(Array(tasks).fill(0)).map(({ taskId }) => [taskId, taskId])
  return sampleVersion('1.0.0', Object.fromEntries(ids))
}

/** Builds the request for all of these rows, in this order. */
export function comparisonInputOf(
  rows: readonly BoardRow[],
  suites: readonly ComparedSuite[],
): ComparisonInput {
  return { rowIds: rows.map(({ rowId }) => rowId), rows, suites }
}

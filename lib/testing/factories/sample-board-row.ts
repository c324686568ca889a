import type { TableRow } from '#components/board/table-row.ts'
import { toTableRows } from '#components/board/to-table-rows.ts'
import type { BoardRow } from '#lib/domain/board/index.ts'

/** A board row for tests; `changes` are the values that a test is about. */
export function sampleBoardRow(changes: Partial<BoardRow> = {}): BoardRow {
  return {
    rowId: 'row-a',
    suiteId: 'typescript',
    suiteDigest: `sha256:${'a'.repeat(64)}`,
    subject: {
      kind: 'agent',
      name: 'claude',
      version: '2.1.329',
      adapterVersion: null,
      provider: 'anthropic',
      modelRequested: 'claude-sonnet-4-6',
    },
    settings: {
      timeoutMs: 600_000,
      maxSteps: 50,
      maxTokens: null,
      maxCostMicroUsd: null,
      temperature: 'provider-fixed',
      isolation: 'bubblewrap',
      diskQuotaBytes: 1e9,
      maxAttempts: 3,
      seed: 1,
    },
    modes: ['live'],
    label: 'primary',
    refusals: [],
    driven: 'llm',
    rank: { place: 1, low: 1, high: 3, tieGroup: 1, letters: 'A' },
    success: {
      rate: 0.84,
      low: 0.684,
      high: 0.955,
      method: 'task-clustered t',
      tasks: 25,
      attempts: 25,
      voids: 0,
    },
    repetitions: { least: 1, most: 1 },
    plannedEpisodes: 25,
    solvedMs: { p50: 84_000, p95: 212_000 },
    costPerSuccessMicroUsd: 41_250,
    tokensPerSuccess: 52_310,
    raw: {
      subjectMs: { p50: 80_000, p95: 260_000 },
      tokensPerEpisode: 44_000,
      costPerEpisodeMicroUsd: 35_000,
      stepsPerEpisode: 12,
    },
    recovery: null,
    provenance: 'local',
    tasks: [],
    runIds: ['run_00000001'],
    firstStartedAt: '2026-11-21T04:00:00.000Z',
    lastStartedAt: '2026-11-21T05:00:00.000Z',
    ...changes,
  }
}

/** The row as in the table of a board with only this row. */
export function tableRow(row: BoardRow): TableRow {
  return toTableRows([row]).rows[0] as TableRow
}

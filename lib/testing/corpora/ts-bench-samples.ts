import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Next to the project, or next to the folder of its worktrees.
const PLACES = ['..', '../..'].map((up) => join(process.cwd(), up, 'shared/data/ts-bench'))
const FOLDER = PLACES.find((place) => existsSync(place)) ?? ''

/** Name of the folder with real results of ts-bench, next to the project, if it is missing; null = it exists. */
export const lacksTsBench = FOLDER === '' ? '../shared/data/ts-bench' : null

export function readSample(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8')
}

/** A small run in ts-bench's format: one solved, one failed by its tests, one whose agent failed. */
export function tsBenchRun(changes: Record<string, unknown> = {}) {
  const result = (exercise: string, agentSuccess: boolean, testSuccess: boolean) => ({
    exercise,
    agentSuccess,
    testSuccess,
    overallSuccess: agentSuccess && testSuccess,
    agentDuration: 1200,
    testDuration: 800,
    totalDuration: 2001,
  })
  return {
    metadata: {
      agent: 'opencode',
      model: 'model-1',
      provider: 'openai',
      version: '0.4.1',
      timestamp: '2026-03-01T10:00:00.000Z',
      exerciseCount: 3,
      benchmarkVersion: '1.1.0',
      generatedBy: 'ts-bench',
    },
    summary: { successRate: 33.3, totalDuration: 6003, successCount: 1, totalCount: 3 },
    results: [
      result('acronym', true, true),
      { ...result('anagram', true, false), testError: 'STDOUT: 1 failed' },
      { ...result('bowling', false, false), agentError: 'it timed out' },
    ],
    ...changes,
  }
}

import { describe, expect, it } from 'vitest'
import { sampleEpisode, samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import { suiteFromPlans } from '../board/index.ts'
import {
  chainEntry,
  compareVersions,
  digestRun,
  type LedgerAction,
  type LedgerEntry,
} from '../ledger/index.ts'
import type { Archive } from './archive.ts'
import { checkArchive } from './check-archive.ts'
import { rebuildBoard } from './rebuild-board.ts'

const suite = sampleSuite()
const plan = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
})
const episodes = plan.tasks.flatMap(({ taskId, digest: taskDigest }) =>
  [1, 2].map((repetition) => sampleEpisode({ taskId, taskDigest, repetition }, plan)),
)
const runId = episodes[0]!.runId

const { planDigest } = plan
const include = {
  kind: 'include',
  target: runId,
  planDigest,
  provenance: 'oidc',
  shard: null,
} as const
const seal = {
  kind: 'seal-run',
  target: runId,
  episodes: episodes.length,
  digest: digestRun(episodes),
} as const

function write(actions: readonly LedgerAction[]): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (const action of actions) {
    const draft = { author: 'a', reason: 'b', action }
    entries.push(chainEntry(entries.at(-1) ?? null, draft, { now: '2026-01-01T00:00:00.000Z' }))
  }
  return entries
}

const archive = (changes: Partial<Archive> = {}): Archive => ({
  suites: [suite],
  current: new Map([[suite.suiteId, suite.digest]]),
  runs: [{ runId, plan, shard: null, episodes }],
  entries: write([compareVersions(null, suite), include, seal]),
  ...changes,
})
const run = (changes: Partial<Archive['runs'][number]>) => [{ ...archive().runs[0]!, ...changes }]

describe('checkArchive', () => {
  it('finds nothing in a whole archive, with a ledger and without', () => {
    expect(checkArchive(archive())).toEqual([])
    expect(checkArchive(archive({ entries: null }))).toEqual([])
  })

  const resealed = sampleEpisode(
    {
      taskId: 'alpha',
      taskDigest: plan.tasks[0]!.digest,
      effort: { ...episodes[0]!.effort, steps: 3 },
    },
    plan,
  )

  it.each<[string, Partial<Archive>, string]>([
    [
      'a lost episode',
      { runs: run({ episodes: episodes.slice(1) }) },
      'nothing is stored for alpha/1',
    ],
    ['a lost run', { runs: [] }, 'it has no episode'],
    [
      'an episode that was sealed again',
      { runs: run({ episodes: [resealed, ...episodes.slice(1)] }) },
      'other episodes than ledger entry 3',
    ],
    [
      'a run that is not included',
      { entries: write([compareVersions(null, suite)]) },
      'is not in the ledger',
    ],
    [
      'an edited plan',
      { runs: run({ plan: { ...plan, repetitions: 3 } }) },
      'edited after it was frozen',
    ],
    ['a run twice', { runs: [...run({}), ...run({})] }, 'is here twice'],
    [
      'an edited task',
      { suites: [{ ...suite, tasks: suite.tasks.slice(1) }] },
      'do not give its digest',
    ],
    ['a lost suite version', { suites: [] }, 'is not here'],
    ['another current version', { current: new Map() }, 'not the one of ledger entry 1'],
  ])('names %s', (_, changes, words) => {
    const told = checkArchive(archive(changes)).map(({ place, problem }) => `${place}: ${problem}`)
    expect(told.join('\n')).toContain(words)
  })
})

describe('rebuildBoard', () => {
  const board = (changes: Partial<Archive> = {}) => rebuildBoard(archive(changes), suite)

  it('takes provenance from the ledger, and manual without one', () => {
    expect(board().rows.map(({ provenance }) => provenance)).toEqual(['oidc'])
    expect(board({ entries: null }).rows.map(({ provenance }) => provenance)).toEqual(['manual'])
  })

  it('counts only what is included, and obeys corrections', () => {
    expect(board({ entries: [] }).rows).toEqual([])
    const removed: LedgerAction = { kind: 'remove', target: runId }
    expect(board({ entries: write([include, removed]) }).rows).toEqual([])
    expect(board({ entries: write([include, removed, include]) }).rows).toHaveLength(1)
  })

  it('makes the same numbers from a suite that only plans tell of', () => {
    const bare = suiteFromPlans([plan])
    expect(bare?.digest).toBe(suite.digest)
    expect(rebuildBoard(archive({ entries: null }), bare!).rows).toEqual(
      board({ entries: null }).rows,
    )
    expect(suiteFromPlans([{ ...plan, tasks: plan.tasks.slice(1) }])).toBeNull()
  })
})

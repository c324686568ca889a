import { expect, it } from 'vitest'
import { choosePrunable, isPrunable, type PruneCandidate } from './choose-prunable.ts'

const file = (path: string, day: number, bytes: number, isClaimed = false): PruneCandidate => {
  const startedAt = `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`
  return { path, runId: 'run_a', episodeId: 'ep_a', bytes, startedAt, isClaimed }
}
const files = [
  file('new', 20, 100),
  file('old-claimed', 1, 100, true),
  file('old-small', 2, 10),
  file('old-big', 2, 50),
]
const names = (rules: Parameters<typeof choosePrunable>[1]) =>
  choosePrunable(files, rules).map(({ path }) => path)

it('takes what is too old, unless a claim rests on it', () => {
  const before = { instant: '2026-01-10T00:00:00.000Z', days: 30 }
  expect(names({ before, quota: null }).sort()).toEqual(['old-big', 'old-small'])
})

it('frees what the quota wants, oldest first, largest first, claims last', () => {
  const free = (toFree: number) => names({ before: null, quota: { toFree, words: '1 GB' } })
  expect(free(0)).toEqual([])
  expect(free(1)).toEqual(['old-big'])
  expect(free(60)).toEqual(['old-big', 'old-small'])
  expect(free(61)).toEqual(['old-big', 'old-small', 'new'])
  expect(free(161)).toEqual(['old-big', 'old-small', 'new', 'old-claimed'])
})

it('never what a verdict rests on, and nothing tiny', () => {
  const large = { sizeBytes: 1e9 }
  for (const role of ['solution', 'gate-log', 'workspace-diff', 'contract-evidence'] as const)
    expect(isPrunable({ role, ...large })).toBe(false)
  expect(isPrunable({ role: 'subject-log', ...large })).toBe(true)
  expect(isPrunable({ role: 'subject-log', sizeBytes: 10 })).toBe(false)
})

import { expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { type EpisodeFact, listKinds } from '../record/index.ts'
import { buildDistributions, buildFailures } from './row-distributions.ts'
import { MAX_QUANTILES } from './row-measures.ts'
import { summariseCounted } from './run-summary.ts'

function facts(count: number, change: (index: number) => Partial<EpisodeFact>): EpisodeFact[] {
  const run = sampleRun({ suite: sampleBoardSuite(count), repetitions: 1, runId: 'run_00000001' })
  return run.facts.map((fact, index) => ({ ...fact, ...change(index) }))
}

const distributionsOf = (all: EpisodeFact[]) => buildDistributions(summariseCounted(all).amounts)
const solvedIn = (subjectMs: number | null) => ({ status: 'solved' as const, subjectMs })

it('keeps every value of a small sample in order, and those of solved episodes alone', () => {
  const three = facts(3, (index) =>
    index === 1 ? { status: 'unsolved', subjectMs: 1 } : solvedIn(900 - index * 100),
  )
  expect(distributionsOf(three).solvedMs).toEqual({ episodes: 2, values: [700, 900] })
})

it('keeps quantiles of a large sample, the least and the greatest among them', () => {
  const found = distributionsOf(facts(100, (index) => solvedIn(index))).solvedMs
  expect(found?.episodes).toBe(100)
  expect(found?.values).toHaveLength(MAX_QUANTILES)
  expect([found?.values[0], found?.values[16], found?.values.at(-1)]).toEqual([0, 50, 99])
})

it('says nothing where a value is unknown', () => {
  const some = facts(3, (index) => solvedIn(index === 0 ? null : 5))
  expect(distributionsOf(some).solvedMs).toBeNull()
  expect(distributionsOf([]).solvedTokens).toBeNull()
})

it('counts unsolved episodes by kind, and leaves out what is not scored', () => {
  const episodes: Pick<EpisodeFact, 'status' | 'failureCategory'>[] = [
    { status: 'solved', failureCategory: null },
    { status: 'unsolved', failureCategory: 'test-failure' },
    { status: 'unsolved', failureCategory: null },
    { status: 'void', failureCategory: 'provider' },
    { status: 'out-of-budget', failureCategory: 'test-failure' },
  ]
  const found = buildFailures(listKinds(facts(5, (index) => episodes[index] ?? {})))
  expect(found).toEqual({ other: 1, 'test-failure': 2 })
})

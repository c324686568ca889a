import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildBoard } from './build-board.ts'
import { decideAgainstCompetitors, type PoolFlips } from './build-eligibility.ts'
import { buildRowGroups } from './build-row-groups.ts'
import { sampleBoardSuite, sampleRun } from './build-sample-run.ts'
import { traitsOf } from './row-traits.ts'

const suite = sampleBoardSuite(12)

/** The only row of a run whose repetitions of a task all have one mark of this kind. */
function rowWith(kind: string) {
  const { facts, run } = sampleRun({
    ...{ suite, repetitions: 3, runId: 'run_00000001' },
    change: ({ taskId }) => ({
      origin: {
        harness: { version: '0.1.0', commit: 'a' },
        ...{ machine: {}, tests: null, marks: [`${kind}:${taskId}`] },
      },
    }),
  })
  return buildBoard({ suite, facts, runs: [run] }).rows[0]
}

it('one attempt under other repetitions of its own run is no claim', () => {
  expect(rowWith('used')?.refusals).toMatchObject([
    {
      code: 'independent',
      reason:
        '24 of 36 episodes are copies of another attempt of the same run: identical usage and duration.',
    },
  ])
})

it.each(['at', 'file'])('the same %s within one run may be a coincidence', (kind) => {
  expect(rowWith(kind)?.label).toBe('primary')
})

it('decides about rows that changed as about all of them at once', () => {
  const { facts, run } = sampleRun({ suite, repetitions: 1 })
  const traits = buildRowGroups({ suite, facts, runs: [run] }).map(traitsOf)[0]
  if (!traits) throw new Error('the sample has no row')
  const counts = fc.array(fc.nat(3), { minLength: 12, maxLength: 12 })
  const row = fc.record({ solved: counts, voids: counts, eligible: fc.boolean() })
  const toRow = ({
    solved,
    voids,
    eligible,
  }: {
    solved: number[]
    voids: number[]
    eligible: boolean
  }) => {
    const tallies = solved.map((count, at) => ({
      ...{ taskId: `task-${at}`, category: 'a', solved: count, scored: 3 },
    }))
    const doubtful = tallies.map((tally, at) => ({ ...tally, voids: voids[at] ?? 0 }))
    const alone = { eligible, label: 'primary' as const, refusals: [] }
    return { traits: { ...traits, tallies, doubtful } as unknown as typeof traits, alone }
  }
  const found = { alike: 0, flipped: 0 }
  fc.assert(
    fc.property(fc.array(row, { minLength: 4, maxLength: 4 }), fc.array(row), (first, later) => {
      const memory: PoolFlips = new Map()
      const rows = first.map(toRow)
      for (const [at, next] of later.entries()) {
        rows[at % rows.length] = toRow(next)
        const decided = decideAgainstCompetitors(rows, memory)
        expect(decided).toEqual(decideAgainstCompetitors(rows))
        for (const { label } of decided) found[label === 'primary' ? 'alike' : 'flipped']++
      }
    }),
  )
  expect(Math.min(found.alike, found.flipped)).toBeGreaterThan(10)
})

import { expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { buildBoard } from './build-board.ts'

const suite = sampleBoardSuite(12)

/** Returns the only row of a run whose repetitions of a task all have one mark of this kind. */
function rowWith(kind: string) {
  const { facts, run } = sampleRun({
    suite,
    repetitions: 3,
    runId: 'run_00000001',
    change: ({ taskId }) => ({
      origin: {
        harness: { version: '0.1.0', commit: 'a' },
        machine: {},
        tests: null,
        marks: [`${kind}:${taskId}`],
      },
    }),
  })
  return buildBoard({ suite, facts, runs: [run] }).rows[0]
}

it('one attempt under other repetitions of its own run is not a claim', () => {
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

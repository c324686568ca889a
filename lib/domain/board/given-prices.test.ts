import { expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { buildBoard } from './build-board.ts'

const suite = sampleBoardSuite(12)

function row(...prices: (string | undefined)[]) {
  const made = prices.map((price, order) =>
    sampleRun({
      suite,
      repetitions: 3,
      runId: `run_${String(order).padStart(8, '0')}`,
      ...(price === undefined ? {} : { settings: { price } }),
    }),
  )
  const facts = made.flatMap((one) => one.facts)
  const runs = made.map((one, order) => ({ ...one.run, order }))
  return buildBoard({ suite, facts, runs }).rows[0]
}

it('says what its user said that the model costs, and where only some of it was priced so', () => {
  expect(row(undefined)).not.toHaveProperty('givenPrices')
  expect(row('free')?.givenPrices).toEqual(['free'])
  expect(row('free')).not.toHaveProperty('mixed')
  expect(row('free', undefined)).toMatchObject({
    givenPrices: ['free'],
    mixed: [{ what: 'price', values: ['free', 'not given'] }],
  })
})

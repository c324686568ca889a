import { expect, it } from 'vitest'
import { guessOf, leastGuess, runsFor } from './guess.ts'

it.each([
  ['seven tests of many values', Array(7).fill(10), 7, 2],
  ['six', Array(6).fill(10), 6, 3],
  ['eight with three that are yes or no', [2, 2, 2, 10, 10, 10, 10, 10], 8, 2],
  ['three', [10, 10, 10], 3, 9],
  ['too few for any number of runs', [10, 10], 2, 3],
  ['no value', [1, 1, 1, 1], 4, 3],
  ['many of which few decide', Array(20).fill(10), 5, 3],
  ['nothing', [], 0, 0],
])('runs changed tests as often as %s need it', (_, values, deciding, runs) => {
  expect(runsFor(values, deciding)).toBe(runs)
})

it('is never luckier than a thousandth where enough tests can be changed', () => {
  for (let tests = 3; tests < 30; tests++)
    expect(leastGuess(Array(tests).fill(10))).toBeLessThanOrEqual(0.001)
})

const [both, first, none] = [
  [true, true],
  [true, false],
  [false, false],
]

it.each([
  ['each test for its name', [both, first], [both, first], 9],
  ['no test that the reference passes all the same', [both, none], [both, none], 3],
  ['one name for two tests with one pattern', [both, both], [both], 3],
  ['no test without a name that it decides', [both, first], [first], 3],
])('counts %s', (_, changed, names, one) => {
  const tests = changed.map((pattern) => ({ changed: pattern, choices: 3 }))
  expect(1 / guessOf(tests, names)).toBeCloseTo(one)
})

it('counts at worst those with the fewest choices', () => {
  const tests = [
    { changed: both, choices: 3 },
    { changed: both, choices: 1 },
  ]
  expect(guessOf(tests, [both])).toBe(1)
})

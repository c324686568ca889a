import { expect, it } from 'vitest'
import { compareTranscripts } from './compare-transcripts.ts'

const compare = (solution: string[][], reference: string[][]) =>
  compareTranscripts(['s', 't'], { solution, reference })

it('agrees to the letter or names the first difference with its seed', () => {
  expect(compare([['a'], ['b']], [['a'], ['b']])).toEqual({
    ...{ seeds: ['s', 't'], observations: 2, agreed: true, difference: null },
  })
  expect(compare([['a'], ['b', 'd']], [['a'], ['b', 'c']])).toMatchObject({
    ...{ agreed: false, difference: { seed: 't', expected: 'c', observed: 'd' } },
  })
  expect(compare([['a'], []], [['a'], ['b']]).difference?.observed).toBe('(nothing more)')
  expect(compare([['a', 'x'], ['b']], [['a'], ['b']]).difference?.expected).toBe('(nothing more)')
})

it('never agrees about nothing', () => {
  expect(compare([[], []], [[], []]).agreed).toBe(false)
  expect(compare([['a'], []], [['a'], []]).agreed).toBe(false)
  expect(compareTranscripts([], { solution: [], reference: [] }).agreed).toBe(false)
})

import { expect, it } from 'vitest'
import { addMutations, type Mutation, survivingShare } from './mutation.ts'

const one: Mutation = {
  ...{ mutants: 10, compiled: 8, caughtByVisible: 5, caughtByHeldOut: 6, surviving: 2 },
  ...{ wrong: 3, wrongCaught: 3 },
}

it('takes the share of those that compile', () => {
  expect(survivingShare(one)).toBe(0.25)
  expect(survivingShare({ ...one, compiled: 0, surviving: 0 })).toBeNull()
})

it('adds tasks up, and knows no sum of held-out figures when one task has none', () => {
  expect(addMutations([one, one])).toEqual({
    ...{ mutants: 20, compiled: 16, caughtByVisible: 10, caughtByHeldOut: 12, surviving: 4 },
    ...{ wrong: 6, wrongCaught: 6 },
  })
  expect(addMutations([one, { ...one, caughtByHeldOut: null }]).caughtByHeldOut).toBeNull()
})

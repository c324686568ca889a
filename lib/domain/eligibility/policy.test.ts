import { expect, it } from 'vitest'
import { POLICY, tightenPolicy } from './policy.ts'

it('takes a suite at its word only where it is stricter', () => {
  const stricter = { aggregateEpisodes: 50, perTaskEpisodes: 30, voidShare: 0.01 }
  expect(tightenPolicy(POLICY, stricter).thresholds).toEqual(stricter)
  const looser = { aggregateEpisodes: 1, perTaskEpisodes: Number.NaN, voidShare: 0.9 }
  expect(tightenPolicy(POLICY, looser).thresholds).toEqual(POLICY.thresholds)
  expect(tightenPolicy(POLICY, {}).thresholds).toEqual({
    aggregateEpisodes: 10,
    perTaskEpisodes: 20,
    voidShare: 0.05,
  })
})

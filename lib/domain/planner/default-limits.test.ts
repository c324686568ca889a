import { expect, it } from 'vitest'
import { defaultLimits, withDefaultLimits } from './default-limits.ts'

const priced = { kind: 'exercise', hasPrice: true } as const

it('fills in missing limits and keeps the requested ones', () => {
  expect(withDefaultLimits({}, priced)).toEqual(defaultLimits('exercise'))
  const request = { maxSteps: 5, maxTokens: undefined, maxCostMicroUsd: null, timeoutMs: 1000 }
  expect(withDefaultLimits(request, priced)).toEqual({
    maxSteps: 5,
    maxTokens: 1_000_000,
    maxCostMicroUsd: null,
    temperature: 'provider-fixed',
    timeoutMs: 1000,
  })
})

it('sets no limit of cost where no call has a price', () => {
  expect(withDefaultLimits({}, { kind: 'repository', hasPrice: false })).toEqual({
    maxSteps: 250,
    maxTokens: 10_000_000,
    temperature: 'provider-fixed',
  })
})

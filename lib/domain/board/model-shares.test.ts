import { expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import type { ModelUsage } from '../record/index.ts'
import { formatModels, shareModels } from './model-shares.ts'

function rowOf(models: Partial<ModelUsage>[], subject: { secondary?: string[] } = {}) {
  const empty: ModelUsage = {
    model: null,
    asked: [],
    calls: 1,
    toolCalls: 0,
    input: 0,
    output: 0,
  }
  const whole = models.map((one) => ({ ...empty, ...one }))
  const suite = sampleBoardSuite(3)
  const { facts } = sampleRun({ suite, repetitions: 2 })
  const own = facts.map((fact) => ({
    ...fact,
    models: whole,
    subject: { ...fact.subject, ...subject },
  }))
  const first = own[0]
  if (!first) throw new Error('no episode')
  return formatModels({ subject: first.subject, modelShares: shareModels(own) }, String)
}

const pinned = { model: 'model-x-1', input: 900, output: 70 }
const helper = { model: 'helper-y', input: 20, output: 10 }

it('a row says the share of each model by tokens', () => {
  expect(rowOf([pinned, helper], { secondary: ['helper-y'] })).toBe('97 % model-x-1, 3 % helper-y')
  expect(rowOf([helper, pinned])).toBe('97 % model-x-1, 3 % helper-y (undeclared)')
  expect(rowOf([pinned, { ...helper, input: 0, output: 1 }])).toBe(
    '>99 % model-x-1, <1 % helper-y (undeclared)',
  )
})

it('a row says the share by calls where tokens are unknown', () => {
  expect(
    rowOf([
      { ...pinned, calls: 3 },
      { ...helper, output: null },
    ]),
  ).toBe('75 % model-x-1, 25 % helper-y (undeclared)')
})

it('a row has no shares where the pinned model alone answered, in whatever spelling', () => {
  expect(rowOf([pinned, { ...pinned, model: 'acme/model-x-1:nitro' }])).toBe('model-x-1')
})

import { describe, expect, it } from 'vitest'
import { parseFields, readFields } from './plan-request.ts'

const parse = (query: Record<string, string | string[]>) => parseFields(readFields(query))

describe('the planner’s question', () => {
  it('fills in what a URL leaves out, and takes the first of what it says twice', () => {
    expect(parse({})).toMatchObject({
      ok: true,
      request: { repetitions: 3, concurrency: 1, pins: { timeoutMs: 600_000 } },
    })
    expect(parse({ repetitions: ['5', '7'] })).toMatchObject({ request: { repetitions: 5 } })
  })

  it('reads limits, dollars and temperatures', () => {
    const query = { steps: '50', tokens: '100000', cost: '0.5', temperature: '0', timeout: '60' }
    expect(parse(query)).toMatchObject({
      request: {
        pins: {
          maxSteps: 50,
          maxTokens: 100_000,
          maxCostMicroUsd: 500_000,
          temperature: 0,
          timeoutMs: 60_000,
        },
      },
    })
    const fixed = parse({ temperature: 'provider-fixed' })
    expect(fixed).toMatchObject({ request: { pins: { temperature: 'provider-fixed' } } })
  })

  it.each([
    ['repetitions', '0', 'Repetitions must be a whole number from 1 to 1,000, not “0”.'],
    ['repetitions', '1e9', 'not “1e9”.'],
    ['repetitions', '1000000000', 'not “1000000000”.'],
    ['repetitions', 'many', 'not “many”.'],
    ['concurrency', '-1', 'Concurrency must be a whole number from 1 to 64'],
    ['timeout', '1.5', 'Timeout must be a whole number'],
    ['steps', '0', 'Steps must be a whole number'],
    ['tokens', 'lots', 'Tokens must be a whole number'],
    ['cost', '-1', 'Cost must be an amount in US dollars above 0'],
    ['cost', '1e99', 'Cost must be an amount in US dollars above 0'],
    ['cost', '0', 'Cost must be an amount in US dollars above 0'],
    ['temperature', '9', 'Temperature must be a number from 0 to 2 or provider-fixed'],
    ['temperature', 'NaN', 'Temperature must be a number'],
  ])('%s = %s is answered with a sentence', (field, text, words) => {
    const parsed = parse({ [field]: text })
    expect(parsed).toMatchObject({
      ok: false,
      problems: [{ field, message: expect.stringContaining(words) }],
    })
  })
})

import { describe, expect, it } from 'vitest'
import { validCase } from '#lib/testing/cases/eligibility/invalid-case.ts'
import { withHelper } from '#lib/testing/cases/eligibility/invalid-models.ts'
import type { EpisodeFact, Subject } from '../../record/index.ts'
import { decideEligibility } from '../decide-eligibility.ts'

/** Returns the refusals of a valid row after a change of its episodes, and of its plan's subject. */
function refusals(
  change: (fact: EpisodeFact) => Partial<EpisodeFact>,
  subject: Partial<Subject> = {},
) {
  const { facts, context } = validCase('agent')
  const own = <T extends { subject: Subject }>(one: T): T => ({
    ...one,
    subject: { ...one.subject, ...subject },
  })
  const changed = facts.map(own).map((fact) => ({ ...fact, ...change(fact) }))
  const plans = new Map([...context.plans].map(([digest, plan]) => [digest, own(plan)]))
  const decided = decideEligibility(changed, { ...context, plans })
  return decided.refusals.map(({ code, reason }) => `${code}: ${reason}`)
}

describe('a row is ranked', () => {
  it('with a helper model that has a small part, declared or not', () => {
    expect(refusals(() => withHelper())).toEqual([])
    expect(refusals(() => withHelper(), { secondary: ['helper-y'] })).toEqual([])
  })

  it('with a declared helper that calls tools', () => {
    expect(refusals(() => withHelper({ toolCalls: 3 }), { secondary: ['helper-y'] })).toEqual([])
  })

  it.each([
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5-20250929'],
    ['anthropic/claude-sonnet-4.5:nitro', 'anthropic/claude-sonnet-4.5'],
  ])('where one model has two spellings: %s and %s', (modelRequested, answered) => {
    expect(refusals(() => ({ modelObserved: [answered] }), { modelRequested })).toEqual([])
  })

  it('where a deployment is declared as another name of its model', () => {
    const subject = { modelRequested: 'team-gpt', aliases: ['gpt-5.4-2026-03-05'] }
    const change = () => ({ modelObserved: ['gpt-5.4-2026-03-05'] })
    expect(refusals(change, subject)).toEqual([])
    expect(refusals(change, { modelRequested: 'team-gpt' })).toHaveLength(1)
  })

  it('where the pinned temperature went out, or none beside reasoning', () => {
    expect(refusals(() => ({ temperaturesSent: [0, null] }))).toEqual([])
  })
})

describe('a row is not ranked', () => {
  it('where a declared helper did most of the work', () => {
    const [refusal] = refusals(() => withHelper({ input: 9000 }), { secondary: ['helper-y'] })
    expect(refusal).toMatch(/^model-observed: The pinned model took 10 % of the tokens/)
  })

  it('where the helper took the pinned model’s place in one episode', () => {
    let episodes = 0
    const change = () => (episodes++ === 0 ? withHelper({ asked: ['model-x-1'] }) : {})
    expect(refusals(change)).toEqual([
      expect.stringMatching(/^model-observed: The provider responded with helper-y/),
    ])
  })

  it('where another snapshot answered in another spelling', () => {
    let episodes = 0
    const dates = ['m@20250929', 'm-2025-05-14']
    const change = () => ({ modelObserved: [dates[episodes++ % 2] ?? ''] })
    expect(refusals(change, { modelRequested: 'm' })).toEqual([
      expect.stringContaining('several snapshots'),
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { samplePlan } from '#lib/testing/factories/samples.ts'
import { refuseRequest, registrationRequestSchema } from './registrations.ts'

const plan = samplePlan()
const now = new Date('2026-01-01T00:00:00.000Z')
const ask = (request: object) => refuseRequest(registrationRequestSchema.parse(request), now)
const at = (ms: number) => new Date(now.getTime() + ms).toISOString()
const runs = [{ runId: 'run_first00001' }]

describe('refuseRequest', () => {
  it.each<[string, object]>([
    ['a plan with its runs', { plan, runs }],
    ['a plan with a number of runs', { plan, expected: 3 }],
    ['a digest alone', { planDigest: plan.planDigest, expected: 1 }],
    ['clocks that differ by no more than the tolerance', { plan, runs, sentAt: at(-30_000) }],
    ['a plan that was frozen long ago', { plan: { ...plan, frozenAt: at(-86_400_000) }, runs }],
  ])('takes %s', (_, request) => expect(ask(request)).toBeNull())

  it.each<[string, object, RegExp]>([
    ['nothing to register', { runs }, /^send the frozen plan/],
    ['an edited plan', { plan: { ...plan, repetitions: 9 }, runs }, /edited after it was frozen/],
    ['two plans', { plan, planDigest: `sha256:${'0'.repeat(64)}`, runs }, /but planDigest is/],
    [
      'a plan of the future',
      { plan: { ...plan, frozenAt: at(30_001) }, runs },
      /^the plan was frozen at/,
    ],
    ['no runs', { plan }, /^list the runs to register/],
    ['a run twice', { plan, runs: [...runs, ...runs] }, /run_first00001 is listed twice/],
    [
      'a shard that does not exist',
      { plan, runs: [{ runId: 'run_first00001', shard: { index: 3, count: 2 } }] },
      /has a shard that does not exist/,
    ],
    ['a clock behind', { plan, runs, sentAt: at(-30_001) }, /is 30 s behind the server's/],
    ['a clock ahead', { plan, runs, sentAt: at(90_000) }, /is 90 s ahead of the server's/],
  ])('refuses %s in one sentence', (_, request, wanted) => {
    const refusal = ask(request)
    expect(refusal).toMatch(wanted)
    expect(refusal).not.toContain('\n')
  })
})

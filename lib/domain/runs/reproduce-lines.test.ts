import { describe, expect, it } from 'vitest'
import { samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import { reproduceLines } from './reproduce-lines.ts'

describe('reproduceLines', () => {
  const suite = sampleSuite()

  it('asks for the whole plan in one line', () => {
    const line = 'npx proofboard run --suite sample --subject reference --repetitions 2'
    expect(reproduceLines(samplePlan(), suite)).toEqual([line])
    expect(reproduceLines(samplePlan(), null)).toEqual([line])
  })

  it('names the tasks when the plan has not all of them, or when only some are wanted', () => {
    const [first] = samplePlan().tasks
    expect(reproduceLines(samplePlan({ tasks: [first!] }), suite)[0]).toContain('--tasks alpha ')
    expect(reproduceLines(samplePlan(), suite, ['beta'])[0]).toContain('--tasks beta ')
  })

  it('says what differs from the defaults, and quotes what a shell would take apart', () => {
    const { settings, subject } = samplePlan()
    const plan = samplePlan({
      settings: { ...settings, timeoutMs: 90_500, seed: 7, isolation: 'bubblewrap' },
      subject: { ...subject, kind: 'agent', name: 'mine', version: '2.0.0' },
      command: `mine --say "it's"`,
    })
    expect(reproduceLines(plan, suite)).toEqual([
      `npx proofboard run --suite sample --command 'mine --say "it'\\''s"' --name mine --subject-version 2.0.0 --repetitions 2 --timeout 91 --isolation bubblewrap --seed 7`,
    ])
  })

  it('says when a browser was launched for each episode; one that is reset is the default', () => {
    const { settings } = samplePlan()
    const line = (browser: 'cold' | 'reused') =>
      reproduceLines(samplePlan({ settings: { ...settings, browser } }), suite)[0]
    expect(line('cold')).toContain('--browser cold')
    expect(line('reused')).not.toContain('--browser')
  })

  it('names model, provider and pins of an agent', () => {
    const { settings, subject } = samplePlan()
    const plan = samplePlan({
      settings: { ...settings, maxSteps: 50, maxCostMicroUsd: 1_250_000, temperature: 0 },
      subject: {
        ...subject,
        kind: 'agent',
        name: 'pi',
        provider: 'google',
        modelRequested: 'gemini-x',
      },
    })
    expect(reproduceLines(plan, suite)).toEqual([
      'npx proofboard run --suite sample --subject pi --model gemini-x --provider google --repetitions 2 --max-steps 50 --max-tokens none --max-cost 1.25 --temperature 0 --isolation local',
    ])
  })

  it('runs a top-up’s frozen plan again, since no option names its repetitions', () => {
    const topUp = samplePlan({ topUpOf: { rowId: 'row_1', runIds: ['run_1'] } })
    expect(reproduceLines(topUp, suite, ['beta'])).toEqual(['npx proofboard run --plan plan.json'])
  })

  it('imports a foreign suite first', () => {
    const source = { url: 'https://example.org/track.git', ref: 'abc' }
    expect(reproduceLines(samplePlan(), { ...suite, source })).toHaveLength(2)
  })
})

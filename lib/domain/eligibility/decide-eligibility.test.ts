import { describe, expect, it } from 'vitest'
import { countDraws } from '#lib/testing/cases/draws.ts'
import {
  BASE_KINDS,
  type MutableCase,
  validCase,
} from '#lib/testing/cases/eligibility/invalid-case.ts'
import { INVALID_CASES } from '#lib/testing/cases/eligibility/invalid-cases.ts'
import { listKinds } from '../record/index.ts'
import { seededGenerator } from '../statistics/index.ts'
import type { SeededGenerator } from '../statistics/seeded-generator.ts'
import { decideEligibility, ELIGIBILITY_RULES, RULE_CODES } from './decide-eligibility.ts'
import { POLICY } from './policy.ts'

const RUNS = countDraws(100_000, 10_000)
const CASES = BASE_KINDS.map(validCase)

/** Decides as a board does, with one episode of each kind, which has to give the same as all of them. */
function decide({ facts, context }: MutableCase) {
  const all = decideEligibility(facts, context)
  const byRun = facts.toSorted((a, b) => Number(a.runId > b.runId) - Number(a.runId < b.runId))
  const kinds = listKinds(byRun).map(({ fact }) => fact)
  const byKind = JSON.stringify(decideEligibility(facts, context, kinds))
  if (byKind !== JSON.stringify(all)) expect(JSON.parse(byKind)).toEqual(all)
  return all
}

describe('decideEligibility', () => {
  it.each(BASE_KINDS)('lets a whole row pass: %s', (kind) => {
    const label = kind === 'stress' ? 'stress' : 'primary'
    expect(decide(validCase(kind))).toEqual({ label, eligible: true, refusals: [] })
  })

  it.each(INVALID_CASES.map((spoiler) => [spoiler.code, spoiler.name, spoiler] as const))(
    'refuses by %s: %s',
    (code, _, { spoil, applies = () => true }) => {
      for (const whole of CASES.filter(applies)) {
        const { eligible, refusals, label } = decide(spoil(whole, seededGenerator(1)))
        const refusal = refusals.find((one) => one.code === code)
        expect(eligible).toBe(false)
        expect(refusal?.reason).toMatch(/^[A-Z0-9].*\.$/)
        expect(refusal?.remedy).toMatch(/^[A-Z].*\.$/)
        expect(label).toBe(labelFor(refusals.map((one) => one.code)))
      }
    },
  )

  it(`never calls a broken row eligible, in ${RUNS} generated runs`, () => {
    const chance = seededGenerator(20_261_121)
    const seen = new Set<string>()
    const labels = new Set<string>()
    let broken = 0
    for (let round = 0; round < RUNS; round++) {
      const { input, names } = drawRun(chance)
      const { eligible, label, refusals } = decide(input)
      for (const { code } of refusals) seen.add(code)
      labels.add(label)
      const isClaim = label === 'primary' || label === 'stress'
      expectSame(names, [names.length === 0, isClaim], eligible)
      broken += Number(!eligible)
    }
    expect(broken).toBeGreaterThan(RUNS / 2)
    expect([...seen].sort()).toEqual([...RULE_CODES].sort())
    expect([...labels].sort()).toEqual(['diagnostic', 'primary', 'scaffold', 'smoke', 'stress'])
  })

  it('shows a control as scaffold with a reason that a person understands', () => {
    const { facts, context } = validCase('library')
    const subject = {
      ...(facts[0]?.subject as (typeof facts)[0]['subject']),
      kind: 'control' as const,
      name: 'nop',
    }
    const control = facts.map((fact) => ({ ...fact, subject, mode: 'scaffold' as const }))
    const plans = new Map(
      [...context.plans].map(([digest, plan]) => [digest, { ...plan, subject }]),
    )
    const { label, refusals } = decideEligibility(control, { ...context, plans })
    expect(label).toBe('scaffold')
    expect(refusals).toEqual([
      {
        code: 'mode',
        reason: 'This is a control run; it tests the harness.',
        remedy: 'Controls are never ranked. Run an agent or a library instead.',
      },
    ])
  })

  it('accepts a vendor prefix and one dated snapshot as the pinned model', () => {
    const { facts, context } = validCase('agent')
    const observed = (model: string) => facts.map((fact) => ({ ...fact, modelObserved: [model] }))
    expect(decideEligibility(observed('vendor/model-x-1'), context).eligible).toBe(true)
    expect(decideEligibility(observed('model-x-1-20260101'), context).eligible).toBe(true)
    expect(decideEligibility(observed('model-x-1-2026-01-01'), context).eligible).toBe(true)
    expect(decideEligibility(observed('model-x-10'), context).eligible).toBe(false)
  })

  it('lets a finding pass that was resolved in public', () => {
    const { facts, context } = validCase('agent')
    const found = facts.map((fact, index) => (index === 0 ? { ...fact, findings: 2 } : fact))
    const resolvedFindings = new Set([facts[0]?.episodeId ?? ''])
    expect(decideEligibility(found, { ...context, resolvedFindings }).eligible).toBe(true)
  })

  describe('where solutions were graded', () => {
    const digest = `sha256:${'a'.repeat(64)}` as const
    const codes = (sandbox: 'own-user' | 'none' | null, isEvaluatedHere: boolean) => {
      const verifier = sandbox && { sandbox, network: 'none' as const, digest }
      const { facts, context } = validCase('agent')
      const graded = facts.map((fact) => ({
        ...fact,
        grading: { visible: true, heldOut: true, verifier },
      }))
      const evaluations = isEvaluatedHere ? context.evaluations : null
      const { refusals } = decide({ facts: graded, context: { ...context, evaluations } })
      return refusals.map(({ code }) => code)
    }

    it('has to be a sandbox, by the envelope or by an evaluation here', () => {
      expect(codes('none', false)).toEqual(['graded-in-sandbox'])
      expect(codes('none', true)).toEqual([])
      expect(codes('own-user', false)).toEqual([])
    })

    it('is not held against an envelope that does not say', () =>
      expect(codes(null, false)).toEqual([]))
  })

  it('has one rule for every code, each with a demand for the methodology page', () => {
    expect(new Set(RULE_CODES).size).toBe(ELIGIBILITY_RULES.length)
    expect(ELIGIBILITY_RULES.map(({ code }) => code)).toEqual([...RULE_CODES])
    for (const { demand } of ELIGIBILITY_RULES) expect(demand(POLICY)).toMatch(/^[A-Z].*\.$/)
  })
})

function labelFor(codes: readonly string[]): string {
  if (codes.includes('mode')) return 'scaffold'
  return codes.every((code) => code === 'samples') ? 'smoke' : 'diagnostic'
}

/** Much faster than `expect`, which would run up to a hundred thousand times here. */
function expectSame(names: string[], values: boolean[], wanted: boolean): void {
  if (values.some((value) => value !== wanted))
    throw new Error(`eligible: ${wanted}, spoiled by: ${names}`)
}

/** Draws a valid row and breaks it in up to three ways at once. */
function drawRun(chance: SeededGenerator): { input: MutableCase; names: string[] } {
  let input = CASES[chance.nextBelow(CASES.length)] as MutableCase
  const names: string[] = []
  for (let left = chance.nextBelow(4); left > 0; left--) {
    const { name, applies, spoil } = INVALID_CASES[
      chance.nextBelow(INVALID_CASES.length)
    ] as (typeof INVALID_CASES)[0]
    if (input.facts.length === 0 || applies?.(input) === false) continue
    input = spoil(input, chance)
    names.push(name)
  }
  return { input, names }
}

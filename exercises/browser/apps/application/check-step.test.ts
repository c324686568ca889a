import { describe, expect, it } from 'vitest'
import { checkStep } from './check-step.ts'
import { createApplication, type Field, type Step } from './grant-state.ts'

const NOW = new Date('2026-03-02T09:00:00Z')

const GOOD = {
  kind: 'person',
  fullName: 'Mira Solberg',
  email: 'mira@fjordpost.example',
  birthDay: '17',
  birthMonth: '8',
  birthYear: '1987',
  country: 'Norway',
  street: 'Sjøgata 12',
  postcode: '8006',
  city: 'Bodø',
  title: 'Songs',
  theme: 'Music',
  startsOn: '01.04.2026',
  endsOn: '02.04.2026',
  total: '10000',
  requested: '8000',
  coFunder: 'Bodø kommune',
  summary: 'Twelve evenings on which people sing to each other.',
} satisfies Partial<Record<Field, string>>

const wrongIn = (step: Step, fields: Partial<Record<Field, string>>) =>
  Object.keys(checkStep(step, createApplication('A-1', { ...GOOD, ...fields }), NOW))

it.each(['applicant', 'address', 'project', 'budget'] as const)(
  'accepts a good %s page',
  (step) => {
    expect(wrongIn(step, {})).toEqual([])
  },
)

describe('applicant', () => {
  it.each([
    ['31', '2', '1990'],
    ['0', '1', '1990'],
    ['1', '13', '1990'],
    ['3', '3', '2008'],
    ['x', '', ''],
  ])('refuses to be born on %s %s %s', (birthDay, birthMonth, birthYear) => {
    expect(wrongIn('applicant', { birthDay, birthMonth, birthYear })).toEqual(['birthDay'])
  })

  it('accepts whoever turned 18 yesterday, and a leap day', () => {
    const turned = { birthDay: '1', birthMonth: '3', birthYear: '2008' }
    expect(wrongIn('applicant', turned)).toEqual([])
    expect(wrongIn('applicant', { birthDay: '29', birthMonth: '2', birthYear: '1996' })).toEqual([])
  })

  it('asks an organisation for its name in the register and the role, a person for neither', () => {
    expect(wrongIn('applicant', { kind: 'organisation' })).toEqual(['organisation', 'role'])
    const almost = { kind: 'organisation', organisation: 'Nordlys Kulturforening', role: 'Chair' }
    expect(wrongIn('applicant', almost)).toEqual(['organisation'])
    const exact = { ...almost, organisation: 'Nordlys Kulturforening, Bodø' }
    expect(wrongIn('applicant', exact)).toEqual([])
  })
})

describe('address', () => {
  it('knows postcodes by country', () => {
    expect(wrongIn('address', { country: 'Sweden' })).toEqual(['postcode'])
    expect(wrongIn('address', { country: 'Sweden', postcode: '211 42' })).toEqual([])
    expect(wrongIn('address', { country: 'Norw' })).toEqual(['country'])
  })
})

describe('project', () => {
  it('begins thirty days from now at the earliest, and ends after it begins', () => {
    expect(wrongIn('project', { startsOn: '31.03.2026' })).toEqual(['startsOn'])
    expect(wrongIn('project', { endsOn: '01.04.2026' })).toEqual(['endsOn'])
    expect(wrongIn('project', { endsOn: '31.04.2026' })).toEqual(['endsOn'])
    expect(wrongIn('project', { endsOn: '2026-05-01' })).toEqual(['endsOn'])
  })

  it('asks which theme only where the list has none', () => {
    expect(wrongIn('project', { theme: 'Something else' })).toEqual(['otherTheme'])
  })
})

describe('budget', () => {
  it.each([
    ['10000', '8001', ['requested']],
    ['40000', '25000', []],
    ['40000', '25001', ['requested']],
    ['10000', '08000', ['requested']],
    ['1e4', '8000', ['total']],
    ['', '', ['total', 'requested']],
  ])('of %s total and %s asked for finds wrong: %j', (total, requested, wrong) => {
    expect(wrongIn('budget', { total, requested })).toEqual(wrong)
  })

  it('tells the most that could be asked for, and wants to know who pays the rest', () => {
    const application = createApplication('A-1', { ...GOOD, total: '18400', requested: '16000' })
    expect(checkStep('budget', application, NOW).requested).toContain('at most 14720 EUR')
    expect(wrongIn('budget', { coFunder: '' })).toEqual(['coFunder'])
  })
})

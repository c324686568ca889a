import { expect, it } from 'vitest'
import {
  attachPlan,
  findGaps,
  saveFields,
  startApplication,
  submitApplication,
} from './change-application.ts'
import { exposeGrants } from './expose-grants.ts'
import { createApplication } from './grant-state.ts'
import { seedGrants } from './seed-grants.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const file = (name: string, text: string) => ({
  field: 'document',
  name,
  type: 'text/plain',
  bytes: Buffer.from(text),
})

it('saves what belongs to the step and nothing else', () => {
  const application = createApplication('A-1')
  const body = { title: '  A  title ', total: '5', theme: ['Music'], unknown: 'x' }
  saveFields(application, 'project', body, NOW)
  expect(exposeGrants({ applications: [application], started: 1, references: 1 }).drafts).toEqual([
    expect.objectContaining({ fields: { title: 'A title' } }),
  ])
})

it('judges a date of birth by the day, however it was typed', () => {
  const application = createApplication('A-1')
  saveFields(application, 'applicant', { birthDay: '07', birthMonth: '08' }, NOW)
  const [draft] = exposeGrants({ applications: [application], started: 1, references: 1 }).drafts
  expect(draft?.fields).toEqual({ birthDay: '7', birthMonth: '8' })
})

it('attaches a plan, keeps it when none is given again, and says what is wrong with another', () => {
  const application = createApplication('A-1')
  expect(attachPlan(application, [], NOW)).toContain('Attach')
  expect(attachPlan(application, [file('plan.txt', 'plan')], NOW)).toBeNull()
  const { document } = application
  expect(document).toMatchObject({ name: 'plan.txt', size: 4 })
  expect(attachPlan(application, [], NOW)).toBeNull()
  expect(attachPlan(application, [file('plan.exe', 'plan')], NOW)).toContain('PDF')
  expect(attachPlan(application, [file('plan.txt', '')], NOW)).toContain('empty')
  expect(attachPlan(application, [file('plan.txt', 'x'.repeat(1_000_001))], NOW)).toContain('1 MB')
  expect(application.document).toBe(document)
})

it('gives a new application its number and lets a returned one keep its own', () => {
  const state = seedGrants()
  const returned = state.applications.find((one) => one.state === 'returned')!
  submitApplication(state, returned, NOW)
  expect(returned).toMatchObject({ reference: 'NF-2026-0098', handedIn: 2, state: 'submitted' })
  const fresh = startApplication(state)!
  submitApplication(state, fresh, NOW)
  expect(fresh).toMatchObject({ reference: 'NF-2026-0131', handedIn: 1 })
})

it('drops what was typed into fields that the form hid again', () => {
  const state = seedGrants()
  const fresh = startApplication(state)!
  Object.assign(fresh.fields, {
    kind: 'person',
    organisation: 'Nordlys Teater, Harstad',
    theme: 'Music',
  })
  Object.assign(fresh.fields, {
    otherTheme: 'Food',
    total: '100',
    requested: '80',
    coFunder: 'Ada',
  })
  submitApplication(state, fresh, NOW)
  expect(exposeGrants(state).submitted.at(-1)?.fields).toEqual({
    kind: 'person',
    theme: 'Music',
    total: '100',
    requested: '80',
    coFunder: 'Ada',
  })
})

it('finds every step that is not complete, and none in what the fund returned but the payer', () => {
  expect(findGaps(createApplication('A-1'), NOW).map(([step]) => step)).toEqual([
    ...['applicant', 'address', 'project', 'budget', 'documents', 'terms'],
  ])
  const returned = seedGrants().applications.find((one) => one.state === 'returned')!
  expect(findGaps(returned, NOW)).toEqual([['budget', { coFunder: expect.any(String) }]])
})

it('stops at twenty drafts', () => {
  const state = seedGrants()
  for (let more = 0; more < 20; more++) expect(startApplication(state)).not.toBeNull()
  expect(startApplication(state)).toBeNull()
})

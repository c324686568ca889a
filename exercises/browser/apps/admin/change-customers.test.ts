import { describe, expect, it } from 'vitest'
import { createDraw } from '../kit/draw.ts'
import { addNote, editCell, pauseCustomers } from './change-customers.ts'
import type { Status } from './console-state.ts'
import { exposeConsole } from './expose-console.ts'
import { seedConsole } from './seed-console.ts'

const NOW = new Date('2026-03-02T09:00:00Z')

function open() {
  const state = seedConsole(createDraw(11))
  const oneThat = (status: Status, plan?: string) =>
    state.customers.find((one) => one.status === status && (!plan || one.plan === plan))!
  return { state, oneThat }
}

describe('editCell', () => {
  it.each([
    ['Starter', 5],
    ['Standard', 15],
    ['Fleet', 25],
    ['Enterprise', 35],
  ])('allows a %s customer %i %% and no more', (plan, highest) => {
    const { state, oneThat } = open()
    const customer = oneThat('active', plan)
    const set = (value: string) => editCell(state, customer.id, { field: 'discount', value }, NOW)
    expect(set(String(highest + 1))).toMatchObject({ ok: false, status: 422 })
    expect(exposeConsole(state).changes).toEqual([])
    expect(set(String(highest))).toMatchObject({ ok: true })
    expect(customer.discount).toBe(highest)
  })

  it.each(['', '-1', '1.5', 'ten', '1e1', ' 0x5'])('refuses “%s” as a discount', (value) => {
    const { state, oneThat } = open()
    const { id } = oneThat('active')
    expect(editCell(state, id, { field: 'discount', value }, NOW)).toMatchObject({ status: 422 })
  })

  it('changes no other column and nobody who is not there', () => {
    const { state, oneThat } = open()
    const { id } = oneThat('overdue')
    const wish = { field: 'status', value: 'active' }
    expect(editCell(state, id, wish, NOW)).toMatchObject({ status: 422 })
    expect(editCell(state, 'C-1', wish, NOW)).toMatchObject({ status: 404 })
    expect(exposeConsole(state)).toMatchObject({ changes: [], activity: 0 })
  })
})

describe('pauseCustomers', () => {
  it('pauses all or none', () => {
    const { state, oneThat } = open()
    const [active, overdue] = [oneThat('active'), oneThat('overdue')]
    const reason = 'Port strike'
    const refused = pauseCustomers(state, { ids: [active.id, overdue.id], reason }, NOW)
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining(overdue.company) })
    expect(exposeConsole(state)).toMatchObject({ changes: [], pauses: [] })
    expect(pauseCustomers(state, { ids: [active.id, active.id], reason }, NOW).ok).toBe(true)
    expect(exposeConsole(state)).toMatchObject({
      changes: [{ company: active.company, field: 'status', from: 'active', to: 'paused' }],
      pauses: [{ customers: [active.company], reason }],
    })
    expect(pauseCustomers(state, { ids: [active.id], reason }, NOW).ok).toBe(false)
  })

  it.each([
    [{ ids: [], reason: 'Port strike' }],
    [{ ids: ['C-1'], reason: 'Port strike' }],
    [{ ids: 'C-1001', reason: 'Port strike' }],
    [{ ids: ['C-1001'], reason: 'Because' }],
    [{}],
  ])('refuses %j', (body) => {
    expect(pauseCustomers(open().state, body, NOW)).toMatchObject({ status: 422 })
  })
})

it('keeps a note, and refuses an empty and a fifty-first one', () => {
  const { state, oneThat } = open()
  const { id, notes } = oneThat('active')
  expect(addNote(state, id, { text: '   ' }, NOW).ok).toBe(false)
  expect(addNote(state, id, { text: ' two\n words ' }, NOW).ok).toBe(true)
  expect(notes).toEqual([{ text: 'two words', at: NOW.toISOString() }])
  for (let more = 0; more < 60; more++) addNote(state, id, { text: `note ${more}` }, NOW)
  expect(notes).toHaveLength(50)
})

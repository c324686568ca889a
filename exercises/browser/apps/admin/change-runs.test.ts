import { expect, it } from 'vitest'
import { createDraw } from '../kit/draw.ts'
import { changeRun } from './change-runs.ts'
import { seedConsole } from './seed-console.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const open = () => {
  const state = seedConsole(createDraw(11))
  const change = (id: string, wish: object) => changeRun(state, id, wish, NOW)
  const run = (id: string) => state.runs.find((one) => one.id === id)!
  return { change, run }
}

it('sends no run on the road without a driver', () => {
  const { change, run } = open()
  expect(change('DSP-193', { column: 'On the road' })).toMatchObject({ ok: false, status: 422 })
  expect(run('DSP-193').column).toBe('Loading')
  expect(change('DSP-193', { driver: 'Ilse Brandt' }).ok).toBe(true)
  expect(change('DSP-193', { column: 'On the road' }).ok).toBe(true)
  expect(change('DSP-193', { driver: '' }).ok).toBe(false)
  expect(run('DSP-193')).toMatchObject({ column: 'On the road', driver: 'Ilse Brandt' })
})

it('delivers only what was on the road', () => {
  const { change } = open()
  expect(change('DSP-195', { column: 'Delivered' }).ok).toBe(false)
  expect(change('DSP-187', { column: 'Delivered' }).ok).toBe(true)
})

it('writes plates as plates and leaves the rest alone', () => {
  const { change, run } = open()
  const before = { ...run('DSP-198') }
  expect(change('DSP-198', { plate: 'lorry 5' }).ok).toBe(false)
  expect(run('DSP-198')).toEqual(before)
  expect(change('DSP-198', { plate: ' ab-123-x ' }).ok).toBe(true)
  expect(run('DSP-198')).toEqual({ ...before, plate: 'AB-123-X' })
  expect(change('DSP-198', { column: 'Nowhere' }).ok).toBe(true)
  expect(run('DSP-198').column).toBe('Planned')
  expect(change('DSP-999', {})).toMatchObject({ status: 404 })
})

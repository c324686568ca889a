import { describe, expect, it } from 'vitest'
import {
  findCutoff,
  lastDayOf,
  type ModelCutoff,
  modelCutoffsFileSchema,
  SHIPPED_CUTOFFS,
  taskExposure,
} from './task-exposure.ts'

const cutoff: ModelCutoff = {
  models: ['model-x', 'vendor/model-x'],
  date: '2025-02',
  kind: 'training',
  source: 'Vendor, model card',
}

describe('findCutoff', () => {
  it('goes by the exact name: another snapshot may know more', () => {
    expect(findCutoff('vendor/model-x', [cutoff])).toBe(cutoff)
    expect(findCutoff('model-x-2', [cutoff])).toBeNull()
    expect(findCutoff('model', [cutoff])).toBeNull()
  })

  it('lets the first of two entries count', () => {
    const own = { ...cutoff, date: '2026-01' }
    expect(findCutoff('model-x', [own, cutoff])).toBe(own)
  })

  it('ships a file of its own form, with no model twice', () => {
    expect(
      modelCutoffsFileSchema.safeParse({ schemaVersion: 1, cutoffs: SHIPPED_CUTOFFS }).error,
    ).toBeUndefined()
    const names = SHIPPED_CUTOFFS.flatMap(({ models }) => models)
    expect(new Set(names).size).toBe(names.length)
  })

  it('reads a month as its last day', () => {
    expect(lastDayOf({ date: '2025-02' })).toBe('2025-02-28')
    expect(lastDayOf({ date: '2024-02' })).toBe('2024-02-29')
    expect(lastDayOf({ date: '2025-12' })).toBe('2025-12-31')
    expect(lastDayOf({ date: '2025-03-05' })).toBe('2025-03-05')
  })
})

describe('taskExposure', () => {
  it('counts tasks before the cut-off, after it, and of unknown date', () => {
    const dates = ['2025-03-01', '2025-02-28', null, '2019-06-01']
    expect(taskExposure('model-x', dates, cutoff)).toEqual({
      model: 'model-x',
      cutoff: { date: '2025-02', kind: 'training', source: 'Vendor, model card' },
      tasks: 4,
      before: 2,
      after: 1,
      unknown: 1,
      released: { first: '2019-06-01', last: '2025-03-01' },
    })
  })

  it('knows nothing without a cut-off, or without dates', () => {
    expect(taskExposure('model-y', ['2025-01-01'], null)).toMatchObject({
      cutoff: null,
      before: null,
      after: null,
      unknown: 0,
    })
    expect(taskExposure('model-x', [null], cutoff)).toMatchObject({
      before: 0,
      after: 0,
      unknown: 1,
      released: null,
    })
  })
})

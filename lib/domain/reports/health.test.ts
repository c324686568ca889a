import { expect, it } from 'vitest'
import type { DataSizes, Health } from './health.ts'
import { judgeDisk, listProblems } from './health.ts'

const data = (runs: number): DataSizes => {
  return { database: 0, runs, suites: 0, uploads: 0, backups: 0, other: 0 }
}
const state = { freeBytes: 100, minFreeBytes: 10, quotaBytes: null, data: null }

it('is full below the least room or at the quota, low before that, and knows what it does not know', () => {
  expect(judgeDisk(state)).toBe('ok')
  expect(judgeDisk({ ...state, freeBytes: 49 })).toBe('low')
  expect(judgeDisk({ ...state, freeBytes: 9 })).toBe('full')
  expect(judgeDisk({ ...state, quotaBytes: 100, data: data(89) })).toBe('ok')
  expect(judgeDisk({ ...state, quotaBytes: 100, data: data(90) })).toBe('low')
  expect(judgeDisk({ ...state, quotaBytes: 100, data: data(100) })).toBe('full')
  expect(judgeDisk({ ...state, freeBytes: null, quotaBytes: 100 })).toBe('ok')
})

it('says each thing that is wrong once, and nothing when all is well', () => {
  const well: Parameters<typeof listProblems>[0] = {
    database: { ok: true, writable: true, integrity: { ok: true, checkedAt: '' }, problem: null },
    queue: { queued: 0, running: 0, oldestQueuedMs: null, stuckLeases: 0 },
    worker: { alive: true, workers: 1, lastBeatMs: 1 },
    disk: { ...state, level: 'ok' },
    backup: null,
    leftOut: null,
  }
  expect(listProblems(well)).toEqual([])
  const ill: Health['disk'] = { ...state, freeBytes: 1, level: 'full' }
  const told = listProblems({
    ...well,
    database: { ...well.database, writable: false, integrity: { ok: false, checkedAt: '' } },
    queue: { queued: 1, running: 1, oldestQueuedMs: 1, stuckLeases: 1 },
    worker: { alive: false, workers: 0, lastBeatMs: null },
    disk: ill,
  })
  expect(told).toHaveLength(5)
  expect(told.at(-1)).toMatch(/^The disk is nearly full: no job is started/)
  const quota = { ...state, quotaBytes: 1, data: data(2), level: 'full' as const }
  expect(listProblems({ ...well, disk: quota })[0]).toMatch(/^The quota/)
})

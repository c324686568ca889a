import { describe, expect, it } from 'vitest'
import type { TaskExposure } from '#lib/domain/models/task-exposure.ts'
import { formatExposure } from './format-exposure.ts'
import { sampleBoardRow } from './sample-board-row.ts'
import { sensitivityFacts } from './sensitivity-facts.ts'

describe('sensitivityFacts', () => {
  it('names what is left out at either end', () => {
    const leaveOneOut = {
      task: {
        parts: 3,
        least: { rate: 0.25, without: 'a', alike: 0 },
        most: { rate: 0.75, without: 'c', alike: 2 },
      },
      category: null,
    }
    expect(sensitivityFacts(sampleBoardRow({ leaveOneOut, reliability: null }))).toEqual([
      { name: 'pass^k', value: 'unknown: needs two repetitions of every task' },
      {
        name: 'Leave one task out',
        value:
          '25.0–75.0 %: lowest without a, highest without c (or 2 others with the same effect)',
      },
    ])
  })

  it('says nothing of rows that were kept before, and little where nothing changes', () => {
    expect(sensitivityFacts(sampleBoardRow())).toEqual([])
    const same = { rate: 1, without: 'a', alike: 1 }
    const task = { parts: 2, least: same, most: same }
    expect(sensitivityFacts(sampleBoardRow({ leaveOneOut: { task, category: null } }))).toEqual([
      { name: 'Leave one task out', value: '100.0–100.0 % for each' },
    ])
  })
})

describe('formatExposure', () => {
  const known: TaskExposure = {
    model: 'model-x',
    cutoff: { date: '2025-02', kind: 'training', source: 'Vendor, model card' },
    ...{ tasks: 4, before: 4, after: 0, unknown: 0 },
    released: { first: '2019-06-01', last: '2025-02-28' },
  }

  it('says when tasks were public before training ended, all or some', () => {
    expect(formatExposure(known)).toBe(
      'tasks were public before the model’s training ended (training cut-off 2025-02, Vendor, model card)',
    )
    expect(formatExposure({ ...known, before: 2, after: 1, unknown: 1 })).toBe(
      '2 of 4 tasks were public before the model’s training ended; 1 task with unknown release date (training cut-off 2025-02, Vendor, model card)',
    )
  })

  it('warns that training may go beyond a knowledge cut-off', () => {
    const cutoff = {
      ...known.cutoff,
      date: '2025-02',
      kind: 'knowledge' as const,
      source: 'Vendor',
    }
    const released = { first: '2026-11-21', last: '2026-11-21' }
    expect(formatExposure({ ...known, cutoff, before: 0, after: 4, released })).toBe(
      'tasks are newer than the model’s cut-off, released 2026-11-21; training data may extend past a knowledge cut-off (knowledge cut-off 2025-02, Vendor)',
    )
  })

  it('says what is not known', () => {
    expect(formatExposure({ ...known, cutoff: null, before: null, after: null })).toBe(
      'unknown: no training cut-off of model-x is recorded; the tasks were released 2019-06-01 to 2025-02-28',
    )
    expect(formatExposure({ ...known, before: 0, after: 0, unknown: 4, released: null })).toBe(
      'unknown: the tasks have no release dates (training cut-off 2025-02, Vendor, model card)',
    )
  })
})

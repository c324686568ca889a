import { describe, expect, it } from 'vitest'
import { formatCoverage, type GradingMetrics, type TaskExposure } from '#lib/domain/board/index.ts'
import { sampleBoardRow } from '#lib/testing/factories/sample-board-row.ts'
import {
  formatExposure,
  formatGradingSandboxes,
  formatResults,
  sensitivityFacts,
} from './row-facts.ts'
import { toRowDetail, toTableRows } from './to-table-rows.ts'

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
          '25.0–75.0\u00a0%: lowest without a, highest without c (or 2 others with the same effect)',
      },
    ])
  })

  it('says nothing of rows that were kept before, and little where nothing changes', () => {
    expect(sensitivityFacts(sampleBoardRow())).toEqual([])
    const same = { rate: 1, without: 'a', alike: 1 }
    const task = { parts: 2, least: same, most: same }
    expect(sensitivityFacts(sampleBoardRow({ leaveOneOut: { task, category: null } }))).toEqual([
      { name: 'Leave one task out', value: '100.0–100.0\u00a0% for each' },
    ])
  })
})

describe('formatExposure', () => {
  const known: TaskExposure = {
    model: 'model-x',
    cutoff: { date: '2025-02', kind: 'training', source: 'Vendor, model card' },
    tasks: 4,
    before: 4,
    after: 0,
    unknown: 0,
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

const IN_BUBBLEWRAP = {
  sandbox: 'bubblewrap',
  network: 'none',
  digest: null,
  episodes: 20,
} as const
const UNRECORDED = { sandbox: null, network: null, digest: null, episodes: 5 }

const ALL: GradingMetrics = {
  scored: 25,
  visiblePassed: 22,
  heldOutScored: 25,
  heldOutPassed: 20,
  tasks: 25,
  heldOutTasks: 25,
  verifiers: [IN_BUBBLEWRAP],
}
const SOME: GradingMetrics = { ...ALL, heldOutScored: 3, heldOutPassed: 2, heldOutTasks: 3 }
const NONE: GradingMetrics = { ...ALL, heldOutScored: 0, heldOutPassed: null, heldOutTasks: 0 }

describe('both results of grading', () => {
  it('says nothing beside the rate only where every task has a transcript', () => {
    expect([ALL, SOME, NONE].map(formatCoverage)).toEqual([
      null,
      'held-out on 3 of 25 tasks',
      'visible tests only',
    ])
  })

  it('gives each result its own denominator', () => {
    expect([ALL, SOME, NONE].map(formatResults)).toEqual([
      'Visible tests passed 22 of 25 · held-out transcript 20 of 25',
      'Visible tests passed 22 of 25 · held-out transcript 2 of 3 (held-out on 3 of 25 tasks)',
      'Visible tests passed 22 of 25 · no held-out transcript',
    ])
  })

  it('says where solutions were graded, and every place where they differ', () => {
    const places = (...verifiers: GradingMetrics['verifiers']) =>
      formatGradingSandboxes({ ...ALL, verifiers })
    const unguarded = { ...IN_BUBBLEWRAP, sandbox: 'none', network: 'host', episodes: 2 } as const
    expect(places(IN_BUBBLEWRAP, IN_BUBBLEWRAP)).toBe('Graded in bubblewrap, no network')
    expect(places(unguarded)).toBe('Graded without a sandbox, with the host’s network')
    expect(places(IN_BUBBLEWRAP, unguarded)).toBe(
      'Mixed: 20 in bubblewrap, no network; 2 without a sandbox, with the host’s network',
    )
    expect(places(UNRECORDED)).toBe('Not recorded')
    expect(places(IN_BUBBLEWRAP, UNRECORDED)).toBe(
      'Mixed: 20 in bubblewrap, no network; 5 not recorded',
    )
  })

  it('stands in a row and in its details', () => {
    const rows = [sampleBoardRow({ grading: NONE }), sampleBoardRow()]
    expect(toTableRows(rows).common).toContain('visible tests only')
    const [graded, browser] = rows.map((row) => toRowDetail(row, null))
    expect(graded?.facts).toContainEqual({ name: 'Tests', value: formatResults(NONE) })
    expect(graded?.facts).toContainEqual({
      name: 'Verifier',
      value: 'Graded in bubblewrap, no network',
    })
    expect(browser?.facts.map(({ name }) => name)).not.toContain('Tests')
  })
})

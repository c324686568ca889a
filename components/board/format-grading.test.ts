import { describe, expect, it } from 'vitest'
import type { GradingFigures } from '#lib/domain/board/grading-figures.ts'
import { formatCoverage, formatPlaces, formatResults } from './format-grading.ts'
import { sampleBoardRow } from './sample-board-row.ts'
import { toTableRows } from './to-table-rows.ts'

const IN_BUBBLEWRAP = {
  sandbox: 'bubblewrap',
  network: 'none',
  digest: null,
  episodes: 20,
} as const
const UNRECORDED = { sandbox: null, network: null, digest: null, episodes: 5 }

const ALL: GradingFigures = {
  ...{ scored: 25, visiblePassed: 22, heldOutScored: 25, heldOutPassed: 20 },
  ...{ tasks: 25, heldOutTasks: 25, verifiers: [IN_BUBBLEWRAP] },
}
const SOME: GradingFigures = { ...ALL, heldOutScored: 3, heldOutPassed: 2, heldOutTasks: 3 }
const NONE: GradingFigures = { ...ALL, heldOutScored: 0, heldOutPassed: null, heldOutTasks: 0 }

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
    const places = (...verifiers: GradingFigures['verifiers']) =>
      formatPlaces({ ...ALL, verifiers })
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
    const [graded, browser] = toTableRows([sampleBoardRow({ grading: NONE }), sampleBoardRow()])
    expect(graded?.grading?.coverage).toBe('visible tests only')
    expect(graded?.facts).toContainEqual({ name: 'Tests', value: formatResults(NONE) })
    expect(graded?.facts).toContainEqual({
      name: 'Verifier',
      value: 'Graded in bubblewrap, no network',
    })
    expect(browser?.grading).toBeNull()
    expect(browser?.facts.map(({ name }) => name)).not.toContain('Tests')
  })
})
